package words

import (
	"regexp"
	"strings"
	"sync"
)

// quantity is a kind of thing that is asked for by a turn of phrase which does
// not name it ("how far is it", "몇 도야"), with the words that tools name it by
// in English, Korean and Japanese.
type quantity struct {
	words [3]string
	asked form
}

// quantities gives the turns of phrase. They are the everyday ones of the three
// languages; each names one quantity alone.
var quantities = sync.OnceValue(func() []quantity {
	q := func(english, korean, japanese, signs, pattern string) quantity {
		return quantity{[3]string{english, korean, japanese}, form{pattern: regexp.MustCompile(pattern), signs: split(signs)}}
	}
	return []quantity{
		q("temperature weather", "온도 기온", "温度 気温", "how|도|얼마나|何度|どのくらい",
			`\bhow (?:hot|cold|warm|cool)\b|몇 ?도|얼마나 (?:덥|춥|더|추)|何度(?:です|だ|か|ある|\?|？|$)|どのくらい(?:暑|寒)`),
		q("distance", "거리", "距離", "how far|멀|떨어|몇|離",
			`\bhow far\b|얼마나 (?:멀|떨어)|몇 ?(?:킬로|km|미터)|どのくらい離|どれくらい離|何(?:キロ|km|メートル)`),
		q("age", "나이", "年齢", "how old|살|何歳", `\bhow old\b|몇 ?살|何歳`),
		q("count number", "개수", "件数", "how many|몇|何", `\bhow many\b|몇 ?(?:개|명|건|번)|何(?:件|人|個)`),
	}
})

// conversion is what a need is about that names two currencies.
var conversion = [3]string{"currency exchange convert", "통화 환율 환전 변환", "通貨 為替 換算"}

// currencies gives how each currency is named.
var currencies = sync.OnceValue(func() []form {
	c := func(signs, pattern string) form {
		return form{pattern: regexp.MustCompile(pattern), signs: split(signs)}
	}
	return []form{
		c("달러|ドル|dollar|usd|bucks|$", `달러|ドル|\bdollars?\b|\busd\b|\bbucks\b|\$`),
		c("원|한국|ウォン|won|krw|₩", `[\d만천백억] ?원|한국 ?돈|원화|ウォン|\bwon\b|\bkrw\b|₩`),
		c("엔|일본|円|yen|jpy|¥", `엔화|\d ?엔|일본 ?(?:돈|엔)|엔으로|円|\byen\b|\bjpy\b|¥`),
		c("유로|ユーロ|eur|€", `유로|ユーロ|\beuros?\b|\beur\b|€`),
		c("위안|人民元|yuan|cny|rmb", `위안|人民元|\byuan\b|\bcny\b|\brmb\b`),
		c("파운드|ポンド|pound|gbp|£", `파운드|ポンド|\bpounds?\b|\bgbp\b|£`),
	}
})

// implied gives the words for what a need asks without naming it, in English
// and, of another need, in its own language.
func implied(text string, l Language) []string {
	text = strings.ToLower(text)
	var out []string
	put := func(words [3]string) {
		out = append(out, Tokens(words[English])...)
		if l != English {
			out = append(out, Tokens(words[l])...)
		}
	}
	named := 0
	for _, c := range currencies() {
		if !c.absent(text) && c.pattern.MatchString(text) {
			named++
		}
	}
	if named >= 2 {
		put(conversion)
		return out
	}
	if l == English {
		out = append(out, things(text)...)
	}
	for _, q := range quantities() {
		if !q.asked.absent(text) && q.asked.pattern.MatchString(text) {
			put(q.words)
		}
	}
	return out
}

// made are English adjectives with the thing of which something is full that is
// called so. Stemming does not join the two: "party" has nothing to do with
// "part".
var made = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, pair := range strings.Fields(`sunny:sun windy:wind rainy:rain snowy:snow cloudy:cloud foggy:fog misty:mist
		stormy:storm icy:ice frosty:frost hazy:haze breezy:breeze chilly:chill dusty:dust dirty:dirt muddy:mud smoky:smoke
		noisy:noise salty:salt spicy:spice sugary:sugar juicy:juice greasy:grease oily:oil fatty:fat watery:water
		healthy:health wealthy:wealth risky:risk costly:cost thirsty:thirst hungry:hunger sleepy:sleep lucky:luck
		guilty:guilt faulty:fault leaky:leak hilly:hill rocky:rock sandy:sand grassy:grass shady:shade bloody:blood hairy:hair`) {
		adjective, thing, _ := strings.Cut(pair, ":")
		out[adjective] = thing
	}
	return out
})

// things gives the terms of the things that adjectives of a text are made of.
func things(text string) []string {
	var out []string
	for _, w := range latinWords(text, 0) {
		if thing, ok := made()[w]; ok {
			out = append(out, Tokens(thing)...)
		}
	}
	return out
}
