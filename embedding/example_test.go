package embedding_test

import (
	"fmt"

	"github.com/seed-ae386458/interlock/embedding"
	"github.com/seed-ae386458/interlock/embedding/usem3"
)

// A Korean request finds its English tool.
func Example() {
	model, err := usem3.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	tools := []string{"get weather forecast for a city", "create a new issue in a repository"}
	var rows []int8
	var scales []float32
	for _, tool := range tools {
		v := embedding.Quantise(model.Embed(nil, tool))
		rows, scales = append(rows, v.Values...), append(scales, v.Scale)
	}
	query := embedding.Quantise(model.Embed(nil, "내일 서울 날씨 알려줘"))
	sums := make([]int32, len(tools))
	for i := range embedding.Scan(query.Values, rows, sums) {
		fmt.Printf("%.2f %s\n", embedding.CosineOf(sums[i], query.Scale, scales[i]), tools[i])
	}
	// Output:
	// 0.42 get weather forecast for a city
	// -0.07 create a new issue in a repository
}
