package snapshot

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/index"
)

// docsOf gives the searchable texts of a tool, one a variant.
func docsOf(place int, t *Tool) []index.Doc {
	terms := termsOf(t)
	base := index.Doc{Tool: place, Name: t.Op.Name, Family: t.Op.Family, Source: t.Source, Title: t.Op.Title, Aliases: t.Op.Aliases,
		Params: terms.Params, ParamDocs: terms.ParamDocs, Outputs: terms.Outputs, Enums: terms.Enums}
	for _, f := range t.Op.Fields {
		if f.SemanticID != "" {
			base.Outputs = append(base.Outputs, f.SemanticID)
		}
	}
	if len(t.Op.Variants) == 0 {
		return []index.Doc{base}
	}
	var out []index.Doc
	for _, v := range t.Op.Variants {
		d := base
		d.Description = v.Description
		out = append(out, d)
	}
	return out
}

// termsOf gives what search reads of a tool's schemas. Of a masked tool that is
// listed already; of the others it is read off and let go.
func termsOf(t *Tool) contract.SearchText {
	if t.whole != nil {
		return t.Contract.Terms()
	}
	return contract.Terms(*t.Op)
}

// exactKeys are the names that find a tool whatever its score.
func exactKeys(t *Tool) []string {
	return append([]string{t.ID, t.Op.Name, t.Family}, t.Op.Aliases...)
}

// textKey is the content hash of a wording. The tag names how texts become a
// vector, so that a change of that makes new keys.
func textKey(texts [4]string) string {
	h := sha256.New()
	h.Write([]byte("interlock/vector/2"))
	for _, t := range texts {
		h.Write([]byte{0})
		h.Write([]byte(t))
	}
	return hex.EncodeToString(h.Sum(nil))
}

func pack(v []float32) []byte {
	out := make([]byte, 0, 2*len(v))
	peak := float32(0)
	for _, x := range v {
		peak = max(peak, x, -x)
	}
	out = binary.LittleEndian.AppendUint32(out, math.Float32bits(peak))
	for _, x := range v {
		q := int16(0)
		if peak > 0 {
			q = int16(math.RoundToEven(float64(x) / float64(peak) * 32767))
		}
		out = binary.LittleEndian.AppendUint16(out, uint16(q))
	}
	return out
}

func unpack(b []byte) []float32 {
	if len(b) < 4 {
		return nil
	}
	peak := math.Float32frombits(binary.LittleEndian.Uint32(b))
	out := make([]float32, 0, (len(b)-4)/2)
	for i := 4; i+1 < len(b); i += 2 {
		q := int16(binary.LittleEndian.Uint16(b[i:]))
		out = append(out, float32(q)/32767*peak)
	}
	return out
}
