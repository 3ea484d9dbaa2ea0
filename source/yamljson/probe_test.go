package yamljson
import ("testing";"os";"path/filepath";"time";"compress/gzip";"io";"strings";"bytes")
func TestProbe(t *testing.T){
 fs,_:=filepath.Glob("/work/shared/data/openapi/*")
 for _,f:=range fs{ b,_:=os.ReadFile(f); if strings.HasSuffix(f,".tsv"){continue}
 if strings.HasSuffix(f,".gz"){z,_:=gzip.NewReader(bytes.NewReader(b)); b,_=io.ReadAll(z)}
 s:=time.Now(); d,err:=Parse(b,Limits{}); if err!=nil{t.Errorf("%s %v",f,err);continue}
 t.Log(filepath.Base(f),len(b),time.Since(s),len(d.Twice), d.Root.Get("openapi").Text(), d.Root.Get("swagger").Text())}
}
