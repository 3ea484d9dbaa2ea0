package storetest

import (
	"fmt"
	"sync"
	"testing"

	"github.com/seed-ae386458/interlock"
)

func policiesKept(t *testing.T, f *fixture) {
	ctx := t.Context()
	versions, err := f.store.PolicyVersions(ctx)
	done(t, "versions", err)
	same(t, "versions of a new store", len(versions), 0)
	_, err = f.store.PolicySet(ctx, "none")
	refused(t, "a set that never was", err, interlock.ReasonNotFound)

	first, second := filled[interlock.PolicyVersion](), filled[interlock.PolicyVersion]()
	first.Digest, second.Digest = "one", "two"
	files := []interlock.PolicyFile{{Name: "a.cedar", Text: []byte("permit (principal, action, resource);\n// é \x00")}, {Name: "b.cedar", Text: []byte{}}}
	want := []interlock.PolicyVersion{}
	put := func(v interlock.PolicyVersion, files []interlock.PolicyFile, changes bool) {
		t.Helper()
		got, changed, err := f.store.PutPolicies(ctx, v, files)
		done(t, "put", err)
		same(t, "changed", changed, changes)
		if changes {
			v.Number = len(want) + 1
			want = append(want, v)
		}
		same(t, "version", got, want[len(want)-1])
	}
	put(first, files, true)
	put(first, files, false)
	put(second, nil, true)
	put(first, files, true) // the way back is a version of its own
	none := second
	none.Digest, none.Files, none.Policies = "", nil, 0
	put(none, nil, true)
	for range 2 {
		versions, err := f.store.PolicyVersions(ctx)
		done(t, "versions", err)
		same(t, "versions", versions, want)
		got, err := f.store.PolicySet(ctx, "one")
		done(t, "set", err)
		same(t, "files", got, files)
		f.reopen(t)
	}
}

func policyRace(t *testing.T, f *fixture) {
	const writers = 8
	var all sync.WaitGroup
	for n := range writers {
		all.Go(func() {
			if _, _, err := f.store.PutPolicies(t.Context(), interlock.PolicyVersion{Digest: fmt.Sprint(n)}, nil); err != nil {
				t.Errorf("put: %v", err)
			}
		})
	}
	all.Wait()
	versions, err := f.store.PolicyVersions(t.Context())
	done(t, "versions", err)
	for i, v := range versions {
		same(t, "number", v.Number, i+1)
	}
	same(t, "versions", len(versions), writers)
}
