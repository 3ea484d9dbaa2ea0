package registry

import "reflect"

// own copies a value through and through, so that whoever handed it out can
// change his without changing what was accepted. It knows plain data: no
// functions, channels or cycles.
func own[T any](v T) T { return copied(reflect.ValueOf(&v).Elem()).Interface().(T) }

func copied(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(copied(v.Field(i)))
		}
	case reflect.Slice:
		if v.IsNil() {
			break
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		if v.Type().Elem().Kind() == reflect.Uint8 {
			reflect.Copy(out, v)
			break
		}
		for i := range v.Len() {
			out.Index(i).Set(copied(v.Index(i)))
		}
	case reflect.Map:
		if v.IsNil() {
			break
		}
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for at := v.MapRange(); at.Next(); {
			out.SetMapIndex(at.Key(), copied(at.Value()))
		}
	case reflect.Pointer:
		if v.IsNil() {
			break
		}
		out.Set(reflect.New(v.Type().Elem()))
		out.Elem().Set(copied(v.Elem()))
	default:
		out.Set(v)
	}
	return out
}
