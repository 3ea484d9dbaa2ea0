package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// browser is a real one, driven over its DevTools pipe: messages of JSON, each
// ended by a zero byte.
type browser struct {
	t       *testing.T
	in      io.WriteCloser
	out     *bufio.Reader
	session string
	last    int
	said    []string // what pages wrote on their console, and what they threw
}

// browserPath finds a browser on this machine.
func browserPath(t *testing.T) string {
	t.Helper()
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	if own := os.Getenv("INTERLOCK_BROWSER"); own != "" {
		names = []string{own}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("SKIPPED: no browser (%s) is installed; INTERLOCK_BROWSER names another", strings.Join(names, ", "))
	return ""
}

func startBrowser(t *testing.T) *browser {
	t.Helper()
	path := browserPath(t)
	theirs, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "interlock-browser-") //nolint:usetesting // a dying browser still writes there
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
		"--disable-background-networking", "--disable-component-update", "--no-default-browser-check", "--remote-debugging-pipe", "--user-data-dir="+dir, "about:blank")
	cmd.ExtraFiles = []*os.File{theirs, theirOut}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Env = append(os.Environ(), "HOME="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = theirs.Close(), theirOut.Close()
	b := &browser{t: t, in: in, out: bufio.NewReader(out)}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
		_, _, _ = in.Close(), out.Close(), os.RemoveAll(dir)
	})
	return b
}

// page opens a new page, which has its own memory where own is set.
func (b *browser) page(url string) {
	b.t.Helper()
	b.session = ""
	var made struct {
		TargetID  string `json:"targetId"`
		SessionID string `json:"sessionId"`
	}
	b.do(&made, "Target.createTarget", map[string]any{"url": "about:blank"})
	b.do(&made, "Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true})
	b.session = made.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.do(nil, domain+".enable", nil)
	}
	b.visit(url)
}

func (b *browser) visit(url string) {
	b.t.Helper()
	b.do(nil, "Page.navigate", map[string]any{"url": url})
}

// do sends one command and waits for its answer.
func (b *browser) do(into any, method string, params map[string]any) {
	b.t.Helper()
	b.last++
	text, err := json.Marshal(map[string]any{"id": b.last, "method": method, "params": params, "sessionId": b.session})
	if err != nil {
		b.t.Fatal(err)
	}
	if b.session == "" {
		text = bytes.Replace(text, []byte(`,"sessionId":""`), nil, 1)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		raw, err := b.out.ReadBytes(0)
		if err != nil {
			b.t.Fatalf("the browser ended at %s: %v", method, err)
		}
		var m struct {
			ID             int
			Method         string
			Params, Result json.RawMessage
			Error          *struct{ Message string }
		}
		if err := json.Unmarshal(bytes.TrimSuffix(raw, []byte{0}), &m); err != nil {
			b.t.Fatal(err)
		}
		switch {
		case m.ID == b.last && m.Error != nil:
			b.t.Fatalf("%s: %s", method, m.Error.Message)
		case m.ID == b.last:
			if into != nil {
				if err := json.Unmarshal(m.Result, into); err != nil {
					b.t.Fatal(err)
				}
			}
			return
		case m.Method == "Runtime.exceptionThrown", m.Method == "Runtime.consoleAPICalled", m.Method == "Log.entryAdded":
			b.said = append(b.said, string(m.Params))
		case m.Method == "Page.javascriptDialogOpening":
			b.t.Errorf("a page opened a dialogue of its own: %s", m.Params)
		}
	}
}

// eval gives the value of an expression in the page.
func (b *browser) eval(into any, expression string) {
	b.t.Helper()
	var out struct {
		Result    struct{ Value json.RawMessage }
		Exception *struct{ Text string } `json:"exceptionDetails"`
	}
	b.do(&out, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true})
	if out.Exception != nil {
		b.t.Fatalf("%s: %s", expression, out.Exception.Text)
	}
	if into != nil && len(out.Result.Value) > 0 {
		if err := json.Unmarshal(out.Result.Value, into); err != nil {
			b.t.Fatal(err)
		}
	}
}

// until waits until an expression holds.
func (b *browser) until(expression string) {
	b.t.Helper()
	for deadline := time.Now().Add(readyTime); ; time.Sleep(50 * time.Millisecond) {
		ok := false
		if b.eval(&ok, "!!("+expression+")"); ok {
			return
		}
		if time.Now().After(deadline) {
			var text string
			b.eval(&text, "document.body.innerText")
			b.t.Fatalf("never: %s\n%s\n%s", expression, text, strings.Join(b.said, "\n"))
		}
	}
}

// text gives what the page shows.
func (b *browser) text() (text string) {
	b.t.Helper()
	b.eval(&text, "document.body.innerText")
	return text
}

// press presses one key, as a person does.
func (b *browser) press(key string) {
	b.t.Helper()
	code := map[string]int{"Tab": 9, "Enter": 13, "Escape": 27}[key]
	press := map[string]any{"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code}
	if key == "Enter" {
		press["text"] = "\r"
	}
	b.do(nil, "Input.dispatchKeyEvent", press)
	b.do(nil, "Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code})
}

// write types a text.
func (b *browser) write(text string) {
	b.t.Helper()
	b.do(nil, "Input.insertText", map[string]any{"text": text})
}

// tabTo presses Tab until an element is the one in focus, as somebody without a
// mouse gets there.
func (b *browser) tabTo(condition string) {
	b.t.Helper()
	for range 60 {
		ok := false
		if b.eval(&ok, "!!(document.activeElement && (e => "+condition+")(document.activeElement))"); ok {
			return
		}
		b.press("Tab")
	}
	b.t.Fatalf("the keyboard does not reach %s\n%s", condition, b.text())
}

// looks sets what the person's machine is: how wide its screen, and dark or not.
func (b *browser) looks(width int, scheme string) {
	b.t.Helper()
	b.do(nil, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500})
	b.do(nil, "Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}})
}

// shoot keeps a picture where INTERLOCK_SHOTS names a folder.
func (b *browser) shoot(name string) {
	b.t.Helper()
	dir := os.Getenv("INTERLOCK_SHOTS")
	if dir == "" {
		return
	}
	var shot struct{ Data string }
	b.do(&shot, "Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true})
	raw, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), raw, 0o600)
	}
	if err != nil {
		b.t.Error(fmt.Errorf("shot %s: %w", name, err))
	}
}
