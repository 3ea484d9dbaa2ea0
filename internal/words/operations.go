package words

import (
	"math/bits"
	"strings"
	"sync"
)

// Operations is a set of kinds of act.
type Operations uint32

// verbs are the kinds of act, each with words that ask for it: in English (held
// as stems), and in Korean and Japanese (held as beginnings of words that carry
// many endings). Opposites stand apart, for they are what siblings differ in.
// They are everyday verbs of the three languages; a tool's own words belong
// elsewhere.
var verbs = [...]struct{ kind, english, korean, japanese string }{
	{"create", "create add make new register insert generate build compose draft schedule book reserve write post issue submit order", "만들 생성 추가 등록 작성 예약 새로 잡아 신청 주문 써 적어 올려 올리", "作 作成 追加 登録 新規 予約 立て 書 申し込 注文 発行"},
	{"delete", "delete remove erase clear drop wipe purge discard uninstall revoke unsubscribe", "삭제 지워 지우 제거 없애 비워 탈퇴", "削除 消 除 外 取り除 破棄 クリア"},
	{"update", "update edit change modify rename set adjust replace patch correct configure switch", "바꿔 바꾸 변경 수정 고쳐 고치 설정 조정 맞춰 업데이트 편집", "変更 変え 更新 修正 編集 設定 直し 調整 セット"},
	{"read", "get read show see view display fetch retrieve check tell what how which who when describe inspect status info details know", "보여 알려 확인 조회 뭐 얼마 어때 몇 언제 누구 어디 읽어 궁금 상태 봐줘 있어 있니 있나", "教え 見せ 見 表示 確認 調べ 何 いくら いつ 誰 どこ どう 知 読 ですか"},
	{"list", "list all every each enumerate", "목록 리스트 전부 모두 모든 어떤", "一覧 リスト 全部 全て すべて どんな"},
	{"search", "search find look lookup query discover locate recommend suggest browse", "찾아 찾 검색 추천 알아봐", "探 検索 見つけ さが おすすめ 推薦"},
	{"send", "send text message notify email mail post broadcast forward reply tell announce say", "보내 전송 발송 전해 알려줘 공지 답장 말해 방송", "送 送信 伝え 通知 知らせ 返信 配信 放送"},
	{"start", "start run begin launch execute trigger activate play", "시작 실행 돌려 재생 틀어 가동 작동", "開始 始め 実行 起動 再生 流 かけ"},
	{"stop", "stop end cancel abort terminate kill halt quit dismiss", "중지 멈춰 멈추 취소 종료 끝내 그만", "停止 止め キャンセル 取り消 終了 中止 やめ"},
	{"on", "on enable activate", "켜 켜줘 켜기 활성", "つけ 点け オン 点灯 有効"},
	{"off", "off disable deactivate mute", "꺼 끄 비활성 차단 음소거", "消 オフ 消灯 切 無効 ミュート"},
	{"open", "open unlock raise", "열어 열 개방 올려", "開 あけ 上げ"},
	{"close", "close lock shut lower", "닫아 닫 잠가 잠그 내려", "閉 しめ 施錠 ロック 下げ"},
	{"pause", "pause suspend hold snooze", "일시 멈춰 잠시 스누즈", "一時 ポーズ スヌーズ"},
	{"resume", "resume unpause continue restart again", "다시 계속 재개 이어", "再開 続け もう一度 再び"},
	{"increase", "increase raise up higher more extend louder brighter", "올려 높여 늘려 키워 더", "上げ 増 延長 大き 明る"},
	{"decrease", "decrease lower down reduce less quieter dim shorten", "낮춰 줄여 내려 덜", "下げ 減 小さ 暗 短"},
	{"move", "move copy transfer migrate", "옮겨 이동 복사 이전", "移 コピー 移動"},
	{"upload", "upload attach import", "업로드 첨부 가져오", "アップロード 添付 取り込"},
	{"download", "download export save backup", "다운로드 내려받 내보내 저장 백업", "ダウンロード 保存 書き出 バックアップ"},
	{"share", "invite join assign grant share allow", "초대 참여 배정 공유 권한 허용 가입", "招待 参加 割り当 共有 権限 許可"},
	{"calculate", "calculate compute convert count estimate sum", "계산 환산 변환 몇", "計算 換算 変換"},
	{"compare", "compare diff difference versus", "비교 차이", "比較 違い"},
	{"state", "state status whether condition", "상태", "状態"},
	{"translate", "translate transcribe summarize", "번역 요약 받아쓰", "翻訳 要約 文字起こし"},
}

// Kinds is the number of kinds of act.
const Kinds = len(verbs)

// KindName names a kind of act.
func KindName(i int) string { return verbs[i].kind }

// Kind gives the set of one kind; empty for a name that is none.
func Kind(name string) Operations {
	for i, v := range verbs {
		if v.kind == name {
			return 1 << i
		}
	}
	return 0
}

// Len counts the kinds in a set.
func (o Operations) Len() int { return bits.OnesCount32(uint32(o)) }

// Has reports whether kind i is in the set.
func (o Operations) Has(i int) bool { return o&(1<<i) != 0 }

// String names the kinds of a set.
func (o Operations) String() string {
	var out []string
	for i := range verbs {
		if o.Has(i) {
			out = append(out, verbs[i].kind)
		}
	}
	return strings.Join(out, " ")
}

// general are the seven kinds of operation that every kind of act is one of, or
// two: to set a thing on is to update it as well as to execute something.
var general = [...]struct{ kind, acts string }{
	{"read", "read state compare calculate download"},
	{"list", "list"},
	{"search", "search"},
	{"create", "create upload"},
	{"update", "update on off open close increase decrease move share pause resume"},
	{"delete", "delete"},
	{"execute", "send start stop on off open close pause resume calculate translate"},
}

// General gives the kinds of operation that a set of acts belongs to.
func (o Operations) General() []string {
	out := []string{}
	for i, acts := range generalActs() {
		if o&acts != 0 {
			out = append(out, general[i].kind)
		}
	}
	return out
}

// generalActs are the acts of each kind of operation.
var generalActs = sync.OnceValue(func() (out [len(general)]Operations) {
	for i, g := range general {
		for _, act := range strings.Fields(g.acts) {
			out[i] |= Kind(act)
		}
	}
	return out
})

type verbTable struct {
	english          map[string]Operations
	korean, japanese []beginning
}

// beginning is how a word starts that asks for some kind of act.
type beginning struct {
	text string
	kind Operations
}

var table = sync.OnceValue(func() verbTable {
	t := verbTable{english: map[string]Operations{}}
	for i, v := range verbs {
		for _, w := range strings.Fields(v.english) {
			t.english[Stem(w)] |= 1 << i
		}
		for _, w := range strings.Fields(v.korean) {
			t.korean = append(t.korean, beginning{w, 1 << i})
		}
		for _, w := range strings.Fields(v.japanese) {
			t.japanese = append(t.japanese, beginning{w, 1 << i})
		}
	}
	return t
})

// english gives the kinds that the first words of a text ask for; limit 0 reads
// them all. Stop words count: "on" and "off" are what some tools differ in.
func englishOperations(text string, limit int) Operations {
	t := table()
	var out Operations
	for _, w := range latinWords(text, limit) {
		out |= t.english[Stem(w)]
	}
	return out
}

// operations gives the kinds of act that a text in a language asks for.
func operations(text string, l Language) Operations {
	out := englishOperations(text, 0)
	switch l {
	case Korean:
		for _, b := range table().korean {
			if holdsKorean(text, b.text) {
				out |= b.kind
			}
		}
	case Japanese:
		for _, b := range table().japanese {
			if strings.Contains(text, b.text) {
				out |= b.kind
			}
		}
	}
	return out
}

// holdsKorean reports whether a text holds a beginning; one of a single
// syllable counts only where a word starts with it.
func holdsKorean(text, b string) bool {
	single := len(b) == len("가")
	for at := 0; ; {
		i := strings.Index(text[at:], b)
		if i < 0 {
			return false
		}
		at += i
		if !single || at == 0 || !endsInHangul(text[:at]) {
			return true
		}
		at += len(b)
	}
}

// ToolOperations gives the kinds of act that a tool's name and wording state:
// all words of the name, the first of an English description, the first
// sentence of another.
func ToolOperations(name, description string) Operations {
	out := englishOperations(name, 0) | englishOperations(description, 3)
	if l := LanguageOf(description); l != English {
		out |= operations(FirstSentence(description), l)
	}
	return out
}

// Objects gives the terms of a tool's name that say on what it acts: all but
// its acts.
func Objects(name string) []string {
	var out []string
	for _, t := range Tokens(name) {
		if englishOperations(t, 0) == 0 {
			out = append(out, t)
		}
	}
	return out
}
