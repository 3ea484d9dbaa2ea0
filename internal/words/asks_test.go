package words

import (
	"slices"
	"testing"
)

// TestAsks: what is asked to be done, nouns apart, and what is ordered to be
// changed beyond doubt.
func TestAsks(t *testing.T) {
	for _, tc := range []struct {
		need         string
		asks, orders []string
	}{
		{"delete the order 4711", []string{"delete"}, []string{"delete"}},
		{"Please remove my bookmark", []string{"delete"}, []string{"delete"}},
		{"price of an order", nil, nil},
		{"order history", []string{"create"}, nil},
		{"update on the project", []string{"update", "execute"}, nil},
		{"show me the deleted files", []string{"read"}, nil},
		{"find the users and delete them", []string{"search", "delete"}, nil},
		{"cancel my booking", []string{"execute"}, nil},
		{"주문 4711 삭제해줘", []string{"create", "delete"}, []string{"create", "delete"}},
		{"삭제된 항목 보여줘", []string{"read", "delete"}, nil},
		{"주문 내역", []string{"create"}, nil},
		{"注文を削除して", []string{"create", "delete"}, []string{"create", "delete"}},
		{"注文の一覧", []string{"list", "create"}, nil},
		{"", nil, nil},
	} {
		r := Read(tc.need)
		if got := r.Asks(); !slices.Equal(got, tc.asks) {
			t.Errorf("%q asks %v, want %v", tc.need, got, tc.asks)
		}
		if got := r.Orders(); !slices.Equal(got, tc.orders) {
			t.Errorf("%q orders %v, want %v", tc.need, got, tc.orders)
		}
	}
	for _, v := range verbs {
		if len(Kind(v.kind).General()) == 0 {
			t.Errorf("acts of kind %q are of no kind of operation", v.kind)
		}
	}
}
