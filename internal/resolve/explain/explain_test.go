package explain

import (
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/dispose"
)

func TestTellRefusesNothing(t *testing.T) {
	if x, err := Tell(dispose.Answer{}, interlock.Need{}, interlock.Resolution{}); err == nil || x != nil {
		t.Error("an answer that dispose did not decide was explained")
	}
}

func TestSpelled(t *testing.T) {
	got := spelled([]string{"pric", "north", "x"}, "shop/order_price north")
	if got[0] != "price" || got[1] != "north" || got[2] != "x" {
		t.Errorf("%v", got)
	}
}
