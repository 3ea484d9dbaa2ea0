package main

// verbs, nouns: in English, Korean and Japanese, as generated needs use them.
var verbs = [...][3]string{
	{"list", "목록을 보여", "一覧にして"}, {"create", "만들어", "作成して"}, {"update", "수정해", "更新して"}, {"delete", "삭제해", "削除して"},
	{"search", "찾아", "検索して"}, {"export", "내보내", "書き出して"}, {"approve", "승인해", "承認して"}, {"archive", "보관해", "保管して"},
	{"translate", "번역해", "翻訳して"}, {"summarize", "요약해", "要約して"}, {"schedule", "예약해", "予約して"}, {"verify", "확인해", "確認して"},
}

var nouns = [...][3]string{
	{"invoices", "청구서", "請求書"}, {"contracts", "계약서", "契約書"}, {"orders", "주문", "注文"}, {"customers", "고객", "顧客"},
	{"payments", "결제", "支払い"}, {"tickets", "티켓", "チケット"}, {"calendar events", "일정", "予定"}, {"weather reports", "날씨", "天気"},
	{"pull requests", "풀 리퀘스트", "プルリクエスト"}, {"deployments", "배포", "デプロイ"}, {"backups", "백업", "バックアップ"}, {"mailboxes", "메일함", "メールボックス"},
	{"shipments", "배송", "配送"}, {"employees", "직원", "社員"}, {"photos", "사진", "写真"}, {"log files", "로그 파일", "ログファイル"},
	{"stock prices", "주가", "株価"}, {"meeting rooms", "회의실", "会議室"}, {"surveys", "설문", "アンケート"}, {"recipes", "요리법", "レシピ"},
}

var places = [...]string{
	"billing", "warehouse", "helpdesk", "payroll", "storefront", "clinic", "campus", "fleet", "newsroom", "library", "kitchen",
	"studio", "harbour", "airport", "council", "museum", "laboratory", "reception",
}

var params = [...]string{
	"record_id", "customer_name", "start_date", "end_date", "page", "limit", "language", "format", "owner", "region", "status", "note",
}

var phrases = [...]string{
	"Results come in pages of fifty.", "Dates are in the local time of the owner.", "Use it before anything is sent to a customer.",
	"It needs the right to read the region.", "Fields that are empty are left out.", "Amounts are in the currency of the account.",
}
