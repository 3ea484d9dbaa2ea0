package vet

// vocabulary holds what instructions to a model are made of, by what a term
// does. Terms are parted by |; a star lets the word go on. Only forms that tell
// somebody to do something stand here, so that a text which states what a tool
// does is not taken for one.
var vocabulary = []struct {
	class class
	terms string
}{
	{ignoring, "ignore|disregard|forget|neglect|do not follow|don't follow|do not obey|don't obey|stop following|pay no attention to|do not listen to|discard|set aside|abandon"},
	{ignoring, "ignora|ignore|ignorad|ignoren|olvida|olvide|olviden|olvidate de|haz caso omiso de|hagan caso omiso|descarta|no sigas|desobedece"},
	{ignoring, "ignorez|oublie|oubliez|ne tiens pas compte|ne tenez pas compte|ne tenez aucun compte|fais abstraction|faites abstraction|ne suis pas|ne suivez pas"},
	{ignoring, "ignoriere|ignoriert|ignorieren sie|vergiss|vergesst|vergessen sie|missachte|missachten sie|befolge nicht"},
	{ignoring, "esqueca|esquece|desconsidere|desconsidera|ignorem|nao siga|ignorate|ignori|dimentica|dimenticate|non seguire|non tenere conto"},
	{ignoring, "negeer|vergeet|strunta i|ignorera|glom|ignorer|glem|zignoruj*|ignoruj*|zapomnij*|pomin|nie przestrzegaj"},
	{ignoring, "игнорируй*|проигнорируй*|забудь*|не обращай внимания на|не обращайте внимания на|не следуй*|отбрось*|ігноруй*|проігноруй*|забудь*"},
	{ignoring, "bo qua|phot lo|hay quen|quen het|khong tuan theo|abaikan|lupakan|jangan ikuti|huwag pansinin|kalimutan|puuza"},
	{ignoring, "تجاهل|انس كل|انس جمیع|لا تتبع|נא להתעלם|התעלם|תתעלם|התעלמו|שכח את|תשכח"},
	{ignoring, "忽略|忽视|忽視|无视|無視掉|忘记|忘記|忘掉|不要理会|不要理會|别管|不要遵守|不要遵循|抛开"},
	{ignoring, "เพิกเฉย|ไม่ต้องสนใจ|อย่าสนใจ|ละเว้น|ลืม"},
	{ignoringE, "無視して|無視しろ|無視せよ|無視し、|無視し,|無視すること|忘れて|忘れろ|破棄して|従わないで|従うな"},
	{ignoringE, "무시하고|무시하세요|무시하십시오|무시해|무시하라|무시할 것|무시하시오|잊어|잊고|잊으|따르지 마|따르지 말"},
	{ignoringE, "ignorieren|vergessen|ausser acht lassen|negeren|अनदेखा कर|नज़रअंदाज़ कर|नजरअंदाज कर|भूल जा|نادیده بگیر|فراموش کن"},
	{ignoringE, "yok say*|gormezden gel*|unut|unutun|dikkate alma|dikkate almay*|itibar etme"},

	{prior, "previous|prior|above|earlier|preceding|foregoing|former|initial|original|system|existing|past|developer"},
	{prior, "anteriores|anterior|previas|previos|previa|precedentes|del sistema|precedente|anterieures|anterieurs|prealables|du systeme"},
	{prior, "vorherigen|vorherige|bisherigen|bisherige|vorangegangenen|vorigen|obigen|fruheren|systemanweisungen"},
	{prior, "previas|previos|precedenti|anteriori|vorige|voorgaande|eerdere|bovenstaande|tidigare|tidligere|poprzedni*|wczesniejsz*|dotychczasow*"},
	{prior, "предыдущ*|прежн*|прошл*|данные ранее|ранее данные|вышеуказанн*|вышеизложенн*|попередн*"},
	{prior, "onceki|yukaridaki|truoc do|truoc day|phia tren|ben tren|sebelumnya|sebelum ini|terdahulu|nakaraang|naunang"},
	{prior, "السابق|سابقه|قبلی|پیشین|הקודמות|הקודמים|קודמות|שלפני|पिछल|पहले के|पूर्व|ก่อนหน้า|ข้างต้น"},
	{prior, "之前|以前|先前|上述|以上|上面|前面|此前|前述|先前|原有|系统|系統"},
	{prior, "以前の|これまでの|上記の|前の|今までの|従来の|それまでの|元の|システム"},
	{prior, "이전|앞선|지금까지|기존|위의|앞의|종전|시스템"},

	{yours, "your|your own|you were given|you have been given|given to you|you received|tus|tu|vos|tes|deine|deinen|ihre|suas|tuas|seus|tue|je|jouw|твои|ваши|свои|twoje|swoje|你的|您的|你所|あなたの|너의|당신의|네"},

	{directive, "instruction|instructions|prompt|prompts|directive|directives|programming|system message|system messages"},
	{directive, "instrucciones|instruccion|indicaciones|consignes|instructions|anweisungen|anweisung|instruktionen|vorgaben|instrucoes|orientacoes|istruzioni|instructies|opdrachten|instruktioner|instrukser|instrukcj*|polecenia"},
	{directive, "инструкци*|указани*|вказівк*|інструкці*|talimat*|yonerge*|huong dan|chi thi|chi dan|instruksi|perintah|arahan|tagubilin|maagizo"},
	{directive, "تعلیمات|الاوامر|دستورالعمل|دستورات|دستورهای|ההוראות|הוראות|הנחיות|निर्देश|คำสั่ง|คำแนะนำ"},
	{directive, "指令|指示|提示词|提示詞|指引|命令|プロンプト|지시|지침|명령|프롬프트"},

	{rulesOf, "guidelines|restrictions|guardrails|safety|safeguards|training|ethics|content policy|ограничени*|安全限制|限制|制約|제한|安全"},
	{ruleWord, "rules|guidelines|reglas|regles|regeln|regras|regole|правил*|规则|規則|ルール|규칙"},

	{everything, "everything you were told|everything you have been told|everything you've been told|everything you know|all you were told|all that you were told|everything said before|all of the above instructions|everything you were instructed|todo lo que te han dicho|todo lo anterior|tout ce qu'on t'a dit|alles, was dir gesagt wurde|alles was dir gesagt wurde|все, что тебе говорили|之前的一切|之前的所有内容|これまでのことは|これまでの内容|지금까지의 모든 내용|이전 내용은 모두"},

	{overcome, "ignore|disable|bypass|override|circumvent|evade|turn off|deactivate|break|violate|disregard|forget|suspend|绕过|关闭|突破|解除|우회"},

	{not, "do not|don't|dont|never|must not|mustn't|should not|shouldn't|shall not|without|avoid|refrain from|under no circumstances|no need to|不要|别|切勿|不得|请勿|勿|不可|不能|nie|не|jangan"},

	{tell, "tell|telling|inform|informing|mention this|mention it|mention that|mention any|mention any of this|mention any of these|mention anything|mention these|mentioning this|mentioning it|mentioning any|告诉|告訴|告知|提及|透露给|说给"},
	{tell, "говори*|сообща*|упомина*|рассказыва*|информируй*|каж*|повідомля*|mow|mowcie|informuj*|wspominaj*|ujawniaj*|beri tahu|beritahu|katakan|sebutkan|memberi tahu"},
	{tellFirst, "sag|sage|sagen sie|erzahl*|informiere*|verrat*|erwahne*|vertel|zeg|meld|informeer"},
	{notLast, "nicht|nichts|niemals|nie|niet|niets"},
	{notTell, "no digas|no le digas|no se lo digas|no diga|no le diga|no menciones|no mencione|no informes|no informe|no cuentes|no reveles|no avises|nunca digas|nunca le digas"},
	{notTell, "ne dis|ne dites|ne le dis|ne le dites|ne mentionne|ne mentionnez|n'informe|n'informez|n'en parle|n'en parlez|ne parle|ne parlez|ne revele|ne revelez|ne previens|ne prevenez"},
	{notTell, "nao diga|nao conte|nao informe|nao mencione|nao revele|nao avise|nunca diga|non dire|non dirlo|non menzionare|non informare|non rivelare|non dica|nu spune|nu spuneti|beratta inte|tala inte om|fortael ikke|fortell ikke|ala kerro|huwag sabihin|usimwambie"},
	{mentioning, "mention|mentioning|bring up|speak of|talk about"},
	{toUser, "to the user|to the human|to users|to the person|to the customer"},
	{notTell, "伝えないで|伝えない|言わないで|知らせないで|教えないで|話さないで|伝えてはいけ|知らせてはいけ|伝えるな|言うな|知らせるな|教えるな|明かさないで|明かすな|気づかれない|内緒に"},
	{notTell, "알리지 마|알리지 말|말하지 마|말하지 말|알려주지 마|알려주지 말|언급하지 마|언급하지 말|모르게|전달하지 마|비밀로"},
	{notTell, "soylemey*|soyleme|bildirme|bildirmeyin|bahsetme|bahsetmeyin|khong noi|dung noi|khong thong bao|dung thong bao|khong cho|dung cho|khong duoc noi"},
	{notTell, "لا تخبر|لا تذکر|لا تقل|دون علم|دون اخبار|אל תספר|אל תגיד|אל תודיע|אל תזכיר|بدون اطلاع|نگو|نگویید|اطلاع نده|मत बता|न बता|नहीं बता|ना बता|อย่าบอก|ห้ามบอก|ไม่ต้องบอก|อย่าแจ้ง"},
	{user, "user|users|human|humans|the person|end user|operator|usuario|usuaria|utilisateur|utilisateurs|benutzer*|nutzer*|anwender*|utente|utenti|utilizador|gebruiker|anvandaren|brukeren|пользовател*|користувач*|uzytkownik*|kullanici*|nguoi dung|pengguna"},
	{user, "用户|用戶|使用者|ユーザー|ユーザ|利用者|사용자|유저|المستخدم|مستخدم|כאربر|کاربر|משתמש|उपयोगकर्ता|यूज़र|यूजर|ผู้ใช้"},
	{unknowing, "do not mention that you|don't mention that you|never mention that you|do not let the user know|don't let the user know|never let the user know|do not let users know|without the user's knowledge|without the users knowledge|without the user knowing|without the user noticing|without their knowledge|behind the user's back|hide this from the user|keep this from the user|keep it secret from the user|keep this secret from the user|keep this hidden from the user|conceal this from the user|sin que el usuario lo sepa|a l'insu de l'utilisateur|ohne wissen des benutzers|ohne dass der benutzer|sem que o usuario saiba|all'insaputa dell'utente|без ведома пользователя|用户不知情|ユーザーに気づかれ|사용자 모르게|사용자가 모르"},

	{reading, "read|open|load|get|fetch|cat|access|retrieve|collect|grab|gather|find|copy|take|upload|send|include|dump|extract|locate|list|lee|lea|abre|abra|lis|lisez|ouvre|ouvrez|lies|lesen sie|offne|leia|abra|leggi|apri|lees|прочитай*|прочти|открой*|przeczytaj|odczytaj|oku|okuyun|doc|hay doc|baca|bacalah|اقرا|קרא|पढ़|读取|讀取|打开|打開|获取|読み取|読み込|読んで|開いて|읽어|읽고|읽은|열어|อ่าน"},
	{handing, "pass|send|include|put|provide|forward|post|upload|append|attach|supply|paste|transmit|exfiltrate|leak|email|submit|encode|add|envia|envie|enviala|envialo|manda|mandalo|incluye|incluyelo|pasa|pasalo|pon|ponlo|envoie|envoyez|envoie-le|transmets|transmettez|inclus|incluez|passe|passe-le|sende|schicke|ubermittle|ubergib|fuge|senden sie|ubergeben sie|inclua|passe-o|envie-o|invia|invialo|includi|includilo|passa|passalo|stuur|verstuur|geef"},
	{handing, "отправ*|передай*|вставь*|включи*|надішли*|передавай*|wyslij*|przekaz*|dolacz*|gonder*|ilet*|ekle|gui|gui no|dinh kem|truyen|kirim*|sertakan|masukkan|lampirkan|ارسل|مرر|ضع|بفرست|ارسال کن|שלח|העבר|भेज|डाल|ส่ง|แนบ|ใส่"},
	{handing, "发送|發送|传给|傳給|传递|傳遞|上传|上傳|填入|放入|放进|附上|附加|作为|送信|送って|送れ|渡して|渡せ|添付|含めて|入れて|전송|보내|전달해|전달하|첨부|넣어|넣으|포함해|포함하|포함시"},
	{secret, "~/.ssh|.ssh/|id_rsa|id_ed25519|.aws/credentials|/etc/shadow|.netrc|.git-credentials|.cursor/mcp.json|claude_desktop_config.json|.bash_history|.zsh_history|.gnupg|wallet.dat|/proc/self/environ|application_default_credentials.json|cookies.sqlite|login data"},
	{files, "~/.ssh|.ssh/|id_rsa|id_ed25519|.aws/credentials|.aws/config|/etc/shadow|/etc/passwd|.env|.npmrc|.pypirc|.kube/config|.docker/config.json|mcp.json|keychain|~/.config"},
	{contents, "contents|content|the full text|内容|內容|内容を|中身|내용|contenu|contenido|inhalt|conteudo|contenuto|inhoud|содержимое|zawartosc|icerigini|noi dung|isi|محتوی|محتویات|תוכן|सामग्री|เนื้อหา"},
	{private, "environment variables|previous conversation|local credentials|stored credentials|env vars|conversation history|chat history|entire conversation|whole conversation|full conversation|complete conversation|conversation so far|previous messages|user's messages|system prompt|seed phrase|recovery phrase|private ssh key|ssh private key|session cookies|browser cookies|all credentials|any credentials|user's credentials|user's password|user's passwords|saved passwords|all secrets|any secrets|all api keys|any api keys|credit card numbers|variables de entorno|historial de la conversacion|variables d'environnement|historique de la conversation|umgebungsvariablen|gesprachsverlauf|variaveis de ambiente|переменные окружения|историю переписки|环境变量|环境變數|對話紀錄|对话历史|聊天记录|对话记录|系统提示词|会話履歴|会話の内容|環境変数|秘密鍵|システムプロンプト|대화 내용|대화 기록|환경 변수|개인 키|시스템 프롬프트"},
	{inmost, "your system prompt|your full system prompt|the full system prompt|the original system prompt|the full original system prompt|your original system prompt|the exact system prompt|the text of the system prompt|your system message|your system instructions|your hidden instructions|your initial instructions|your original instructions|your full instructions|your entire context|your context window|你的系统提示|你的系統提示|あなたのシステムプロンプト|너의 시스템 프롬프트|당신의 시스템 프롬프트"},
	{printing, "print|display|output|show|list|confirm|reveal|repeat|disclose|leak|recite|dump|paste|expose|输出|泄露|出力して|明かして|출력해|공개해"},
	{sink, "this tool|parameter|parameters|argument|field|as|in the|into|parametro|parametre|параметр*|参数|參數|字段|引数|パラメータ|パラメーター|매개변수|파라미터|인자|인수"},
	{giving, "pass|send|include|forward|post|upload|append|prepend|attach|paste|transmit|exfiltrate|leak|email"},
	{whole, "it|them|its content|its contents|the content|the contents|contents"},
	{slot, "parameter|parameters|argument|arguments|field|as|into|to this tool|in the|param|via|along with|parametro|parametre|parameter|параметр*|参数|參數|字段|引数|パラメータ|パラメーター|매개변수|파라미터|인자|인수|으로"},

	{recipient, "recipient|recipients|bcc|to address|destination|account|wallet|payee|iban|beneficiary|receiver|收件人|收款|宛先|수신자|받는 사람|계좌"},
	{always, "always|必ず|항상|总是|siempre|toujours|immer|sempre|всегда"},
	{invoked, "is invoked|is used|is called|are sent|is sent|when this tool|while this tool"},
	{flow, "emails|email|mails|messages|outputs|queries|responses|payments|transfers"},
	{setting, "set|change|replace|add|redirect|use|substitute|switch|swap|route|send|include|modify|rewrite|改为|替换|设置|変更|変えて|바꾸|변경|추가"},
	{each, "every|all|any|always|whenever|each|instead|regardless|所有|每次|任何|すべて|全て|必ず|모든|항상"},

	{voided, "are void|are now void|are suspended|are now suspended|are revoked|are deprecated|no longer apply|are overridden|are cancelled|are canceled|are superseded|are null and void"},
	{supersede, "supersede|supersedes|superseding"},
	{nowAre, "you are now|you're now|you are no longer|from now on you are|from now on, you are|from now on you will|from now on, you will|from now on you must|act as|pretend to be|pretend you are|you will now act as|ahora eres|tu es maintenant|du bist jetzt|ab jetzt bist du|agora voce e|ora sei|теперь ты|你现在是|你現在是|从现在开始你是|あなたは今から|これからあなたは|이제부터 너는|지금부터 너는|이제 당신은|지금부터 당신은"},
	{persona, "dan|unrestricted|jailbroken|uncensored|unfiltered|developer mode|debug mode|god mode|root mode|bound by|without restrictions|without any restrictions|no restrictions|free of restrictions|without rules|do anything|subject to|sin restricciones|sans restriction|ohne einschrankungen|sem restricoes|senza restrizioni|без ограничений|没有限制|不受限制|不受任何限制|無制限|制限のない|제한 없는|제약 없는|제한이 없는"},

	{tagged, "<important>|<system>|<critical>|<instruction>|<instructions>|<hidden>|<secret>|<admin>|[system]|[important]|[admin]|[system override]|[hidden]|<<system>>|### system|### instruction"},
	{mustNow, "you must now|you must immediately|you have to immediately|immediately call|immediately run|immediately send|you should immediately|必须立即|今すぐ|즉시"},
	{beforeUse, "before using this tool|before calling this tool|before you use this tool|before invoking this tool|before any other tool|before answering|before responding|before every call|before calling|before using|before proceeding|before returning|before sending|after reading|after using this tool|after calling this tool|when using this tool|使用此工具之前|使用本工具前|このツールを使う前|이 도구를 사용하기 전"},
	{fromNow, "from now on|henceforth|from this point on|for the rest of this conversation|for the remainder of the conversation|de ahora en adelante|desormais|ab sofort|с этого момента|从现在开始|从现在起|今後は|지금부터|앞으로는"},
	{newOrders, "new instructions|updated instructions|new system prompt|new instruction|real instructions|actual instructions|your new task|your real task|nuevas instrucciones|neue anweisungen|новые инструкции|新的指令|新指令|新しい指示|새로운 지시"},
	{overrideAll, "system override|priority override|[system] override|admin override|instruction override|override mode|override protocol|emergency override|maintenance override"},
	{hush, "notify|alert|warn|show|display|reveal|disclose|expose"},
	{noLeave, "without asking|do not ask for confirmation|don't ask for confirmation|do not ask for permission|don't ask for permission|do not ask the user|don't ask the user|without confirmation|without permission|without consent|without approval|skip confirmation|bypass confirmation|no confirmation needed|확인 없이|묻지 말고|確認せずに|確認なしで|无需确认|不要询问"},
	{toModel, "the assistant must|the model must|the ai must|the agent must|the assistant should|the model should|the ai should|the agent should|note to ai|note to llm|note to the model|note to the assistant|attention ai|dear ai|attention assistant|ai assistant:|for the ai|for ai agents only|as an ai"},
	{ifModel, "notice to the ai|notice to the assistant|system notice to|message to the ai|if you are an ai|if you are an llm|if you are a language model|if you're an ai|if you are an assistant|if you are an agent|ai agents reading this|llms reading this|any ai reading this|any model reading this|to any ai|to all ai"},
	{threat, "or else the|otherwise the system will|otherwise the tool will not work|otherwise this tool will not work|otherwise the tool will fail|application will crash|data will be lost|or the tool will fail|or the user will be|failure to comply|non-compliance|will be terminated|will be shut down|people will die|you will be"},
	{forwards, "forward its result|forward its output|forward the result|forward the output|forward the results|pass its result|pass its output|send its result|send its output|send the result to|forward all|mirror all|copy all|forward every"},
	{thisTool, "this tool|this function"},
	{toolAll, "other tool|other tools|any other tool|all other tools|another tool|other functions|any other function"},
	{preferring, "instead of|rather than|before|over|never use|do not use|don't use|avoid|stop using"},
	{alwaysCall, "always call this tool first|always use this tool first|always invoke this tool first|always run this tool first|call this tool first|use this tool first whatever|highest priority tool"},
	{secretly, "secretly|covertly|silently|discreetly|quietly|surreptitiously|stealthily|en secreto|en secret|heimlich|in segreto|тайно|втайне|悄悄|偷偷|秘密地|秘密裏|こっそり|密かに|몰래|은밀히"},

	{detects, "detect*|scan*|identif*|flag|flags|flagging|block|blocks|blocking|classif*|filter*|prevent*|guards|protect*|sanitiz*|sanitis*|recogni*|report*|such as|like|e.g|example*|for instance|attack*|injection*|jailbreak*|attempt*|phrase|phrases|test*|red team*|red-team*|defend*|reject*|refus*|contain*|pattern*|erkenn*|detecta*|detecte*|rileva*|检测|识别|检查|検出|検知|탐지|감지|검사|차단|обнаруж*|распозна*"},
	{willDo, "will|would|may|might|can|could|attempts to|tries to|trying to|asks to|asked to|ask it to|tell it to|tells it to|designed to|whether to|cannot|can't|not|intended to|able to|used to|option to|flag to"},
}
