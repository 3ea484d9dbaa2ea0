// Package storetest is the suite of behaviour that every implementation of
// interlock.Store passes, whatever it is made of.
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T, place string) interlock.Store {
//			store, err := sqlite.Open(t.Context(), filepath.Join(place, "store.db"), sqlite.Options{})
//			…
//			return store
//		})
//	}
//
// It speaks only through the interface. What is particular to one kind of store
// (locks, full disks, migrations) is tested beside that store.
package storetest
