package endpoint

import (
	"context"
	"errors"
	"math"

	"github.com/seed-ae386458/interlock/embedding"
)

// alignment is the line that takes a model's cosines to the scale on which
// scores are anchored.
type alignment struct{ Scale, Shift float64 }

// samples are requests and, for each, a tool that would serve it. How near a
// model sees those of a pair, and how near those of two pairs, says how it
// spreads its cosines.
var samples = [...][2]string{
	{"what will the weather be like in Oslo tomorrow", "Get the weather forecast for a city"},
	{"send a note to my colleague that I am late", "Send an email message to one or more recipients"},
	{"which open bugs are assigned to me", "List the issues of a repository, filtered by assignee and state"},
	{"how much is 30 euros in yen", "Convert an amount of money between two currencies"},
	{"turn this report into French", "Translate a text into another language"},
	{"find a table for two tonight near the station", "Search restaurants by place and time and reserve one"},
	{"delete the old backups", "Remove a file from storage"},
	{"what does Anna's calendar look like on Friday", "List the events of a calendar between two dates"},
	{"play something by Bach", "Start playing a track, album or playlist"},
	{"how do I get from the airport to the museum", "Compute a route between two places"},
	{"who wrote this function last", "Show the commits that changed a file"},
	{"dim the lights in the kitchen", "Set the brightness of a lamp"},
	{"내일 부산 날씨 알려 줘", "Get the weather forecast for a city"},
	{"회의 일정을 다음 주로 옮겨 줘", "Update the time of a calendar event"},
	{"이 문장을 영어로 번역해 줘", "Translate a text into another language"},
	{"거실 불 꺼 줘", "Turn a lamp on or off"},
	{"明日の東京の天気を教えて", "Get the weather forecast for a city"},
	{"この請求書を経理に送って", "Send an email message with an attachment"},
	{"近くの薬局を探して", "Search for places near a location"},
	{"100ドルは何円ですか", "Convert an amount of money between two currencies"},
}

// What the embedded model makes of the samples: the mean cosine of those of a
// pair and of those of two pairs. Scores are anchored on that model.
const (
	nearHere = 0.349371
	farHere  = 0.082670
)

// leastGap is the distance of the two means under which a model tells nothing
// apart.
const leastGap = 0.03

// Align learns the model's spread, once.
func (e *Embedder) Align(ctx context.Context) error {
	if e.scale.Load() != nil {
		return nil
	}
	select {
	case e.turn <- struct{}{}:
		defer func() { <-e.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if e.scale.Load() != nil {
		return nil
	}
	var texts []string
	for _, s := range samples {
		texts = append(texts, s[0], s[1])
	}
	vs, err := e.embed(ctx, texts)
	if err != nil {
		return err
	}
	near, far := means(vs)
	if near-far < leastGap {
		return errors.New("embedder: the model tells samples that belong together no better from those that do not")
	}
	scale := round((nearHere - farHere) / (near - far))
	e.scale.Store(&alignment{scale, round(farHere - float64(scale*far))})
	return nil
}

// means gives the mean cosine of the two of a pair, and of a request and the
// tool of another pair that says something else.
func means(vs [][]float32) (near, far float64) {
	n := 0
	for i := range samples {
		near += float64(embedding.Dot(vs[2*i], vs[2*i+1]))
		for j := range samples {
			if samples[i][1] != samples[j][1] {
				far += float64(embedding.Dot(vs[2*i], vs[2*j+1]))
				n++
			}
		}
	}
	return near / float64(len(samples)), far / float64(n)
}

func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// Alignment gives the line that takes the model's cosines to the scale on which
// scores are anchored; false until the model has been asked.
func (e *Embedder) Alignment() (scale, shift float64, known bool) {
	a := e.scale.Load()
	if a == nil {
		return 0, 0, false
	}
	return a.Scale, a.Shift, true
}
