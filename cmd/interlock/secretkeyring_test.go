package main

import (
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
)

// TestKeyringReferences: an entry is named by service and name, asked for once in
// half a minute, and whatever is wrong is typed and tells nothing of a secret.
func TestKeyringReferences(t *testing.T) {
	asked := 0
	k := &keyrings{read: func(service, name string) (string, error) {
		asked++
		switch service + " " + name {
		case "https://api.example kim":
			return "planted-secret", nil
		case "big kim":
			return strings.Repeat("planted", auth.MaxSecret), nil
		case "closed kim":
			return "", errors.New("no bus")
		case "odd kim":
			return "", keyring.ErrUnsupportedPlatform
		}
		return "", keyring.ErrNotFound
	}}
	r := auth.Resolver{Keyring: k.secret}
	for range 3 {
		if got, err := r.Secret("keyring:https://api.example/kim"); err != nil || got.Reveal() != "planted-secret" || asked != 1 {
			t.Errorf("%q %v, asked %d times", got.Reveal(), err, asked)
		}
	}
	for ref, says := range map[string]string{
		"keyring:https://api.example/lee": "no such entry",
		"keyring:closed/kim":              "does one run",
		"keyring:odd/kim":                 "no keyring that is known",
		"keyring:big/kim":                 "over 65536 bytes",
		"keyring:":                        "SERVICE/NAME",
		"keyring:kim":                     "SERVICE/NAME",
		"keyring:/kim":                    "SERVICE/NAME",
		"keyring:service/":                "SERVICE/NAME",
	} {
		got, err := r.Secret(ref)
		if err == nil || got != "" || interlock.ReasonOf(err) != interlock.ReasonCredential || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "planted") {
			t.Errorf("%s: %q %v", ref, got.Reveal(), err)
		}
		if public := interlock.AsError(err).Public; strings.Contains(public, "keyring") {
			t.Errorf("%s: a caller is told %q", ref, public)
		}
	}
	if _, err := (auth.Resolver{}).Secret("keyring:a/b"); err == nil {
		t.Error("a resolver without a keyring read one")
	}
}

// TestKeyringThatHangs: a keyring that waits for a person holds few questions,
// and no caller for long.
func TestKeyringThatHangs(t *testing.T) {
	release := make(chan struct{})
	k := &keyrings{read: func(string, string) (string, error) { <-release; return "s", nil }}
	results := make(chan error)
	began := time.Now()
	for range 2 * maxKeyringWaits {
		go func() {
			_, err := k.secret("service", "name")
			results <- err
		}()
	}
	for range maxKeyringWaits {
		if err := <-results; err == nil || !strings.Contains(err.Error(), "earlier questions") {
			t.Errorf("beyond the bound: %v", err)
		}
	}
	close(release)
	for range maxKeyringWaits {
		if err := <-results; err != nil {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	}
}

// TestKeyringOfTheSystem: a token of the configuration stands in a real secret
// service and nowhere else; where none runs, nothing is served by it.
func TestKeyringOfTheSystem(t *testing.T) {
	for _, name := range []string{"dbus-daemon", "gnome-keyring-daemon", "secret-tool"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("SKIPPED: %s is not installed", name)
		}
	}
	b, _ := pinged(t)
	b.env = append(b.env, "INTERLOCK_CONFIG="+b.file("interlock.yaml", `auth: {tokens: [{name: alice, token: "keyring:https://interlock.example/alice", allow: ["*"]}]}`))
	bus := secretService(t, b)
	b.env = append(b.env, "DBUS_SESSION_BUS_ADDRESS=unix:path="+b.dir+"/no-such-bus")
	if out, code := b.run("up", "--listen", "127.0.0.1:0"); code == 0 || strings.Contains(out, "is up") {
		t.Errorf("without a keyring: exit %d\n%s", code, out)
	}
	b.env[len(b.env)-1] = bus
	s := b.up()
	for token, want := range map[string]int{aliceToken: 200, bobToken: 401} {
		if status, text, err := post(s.url+"/v1/resolve", token, `{"need":"ping"}`); err != nil || status != want {
			t.Errorf("%s: %d %s %v", token, status, text, err)
		}
	}
	if strings.Contains(readAll(t, s.log)+b.logged(), aliceToken) {
		t.Error("the secret stands in a log")
	}
}

// secretService starts a bus and a secret service with one entry, and gives the
// variable by which they are found.
func secretService(t *testing.T, b *box) (variable string) {
	t.Helper()
	address := "unix:path=" + b.dir + "/bus"
	env := append(b.env[:len(b.env):len(b.env)], "DBUS_SESSION_BUS_ADDRESS="+address, "XDG_RUNTIME_DIR="+b.dir, "XDG_DATA_HOME="+b.dir)
	start := func(stdin, name string, args ...string) *exec.Cmd {
		cmd := exec.Command(name, args...)
		cmd.Env, cmd.Stdin = env, strings.NewReader(stdin)
		return cmd
	}
	for _, cmd := range []*exec.Cmd{
		start("", "dbus-daemon", "--session", "--nofork", "--nopidfile", "--address="+address),
		start("the password of the keyring", "gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"),
	} {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		eventually(t, "the bus", readyTime, func() bool {
			return cmd.Args[0] == "dbus-daemon" || start("", "dbus-send", "--session", "--dest=org.freedesktop.DBus", "--print-reply", "/", "org.freedesktop.DBus.ListNames").Run() == nil
		})
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			_ = cmd.Wait()
		})
	}
	eventually(t, "the secret service", readyTime, func() bool {
		put := start(aliceToken, "secret-tool", "store", "--label=interlock test", "service", "https://interlock.example", "username", "alice")
		return put.Run() == nil
	})
	return "DBUS_SESSION_BUS_ADDRESS=" + address
}
