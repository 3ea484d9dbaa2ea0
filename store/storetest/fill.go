package storetest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"
)

// filled gives a value in which every exported member, however deep, holds
// something of its own, so that a member that a store forgets is missed.
func filled[T any]() T {
	var value T
	n := 0
	fill(reflect.ValueOf(&value).Elem(), &n)
	return value
}

// fill sets value to something that n makes different from everything before.
func fill(value reflect.Value, n *int) {
	*n++
	switch value.Interface().(type) {
	case json.RawMessage:
		value.SetBytes([]byte(fmt.Sprintf(`{ "raw": %d, "html": "<&>" }`, *n)))
		return
	case time.Time:
		value.Set(reflect.ValueOf(time.Date(2026, 1, 2, 3, 4, 5, *n, time.UTC)))
		return
	}
	switch value.Kind() {
	case reflect.String:
		value.SetString(fmt.Sprintf("text <&> %d \u00e9\U0001f6a6", *n))
	case reflect.Bool:
		value.SetBool(true)
	case reflect.Int, reflect.Int64:
		value.SetInt(1<<53 + int64(*n))
	case reflect.Uint64:
		value.SetUint(1<<63 + uint64(*n))
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fill(value.Elem(), n)
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 2, 2))
		fill(value.Index(0), n)
		fill(value.Index(1), n)
	case reflect.Map:
		value.Set(reflect.MakeMap(value.Type()))
		for range 2 {
			key, item := reflect.New(value.Type().Key()).Elem(), reflect.New(value.Type().Elem()).Elem()
			fill(key, n)
			fill(item, n)
			value.SetMapIndex(key, item)
		}
	case reflect.Struct:
		for i := range value.NumField() {
			fill(value.Field(i), n)
		}
	}
}
