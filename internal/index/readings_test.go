package index

import (
	"strings"
	"testing"
)

func TestReadings(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		source     string
		want       [4]string
	}{
		{"get_user-name", "Get it. And more.", "", [4]string{"get user name", "Get it", "Get it", "get user name: Get it. And more."}},
		{"getUser", "Get it", "acme.chat-server", [4]string{"get User", "Get it", "chat: Get it", "chat get User: Get it"}},
		{"chat_list", "List", "chat", [4]string{"chat list", "List", "List", "chat list: List"}},
		{"v1.2/x", "Version 1.2 of it", "", [4]string{"v1 2 x", "Version 1.2 of it", "Version 1.2 of it", "v1 2 x: Version 1.2 of it"}},
		{"天気", "天気を調べる。詳しく", "", [4]string{"天気", "天気を調べる", "天気を調べる", "天気: 天気を調べる。詳しく"}},
		{"a", "one\ntwo", "", [4]string{"a", "one", "one", "a: one\ntwo"}},
	} {
		if got := Readings(Doc{Name: tc.name, Source: tc.source, Description: tc.text}); got != tc.want {
			t.Errorf("%q", got)
		}
	}
	long := Readings(Doc{Name: "a", Description: strings.Repeat("漢", 5000)})
	if len(long[3]) > maxEmbedded+8 || strings.ContainsRune(long[3], '\uFFFD') {
		t.Error("a long text is not cut at a character")
	}
}
