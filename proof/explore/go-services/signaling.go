package main

import (
	"bufio"
	"crypto/sha1"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

var rooms = struct {
	turns            map[string]int
	seen             map[string]time.Time
	open             map[string]net.Conn
	last, lastKind   string
	lastBad          time.Time
	underUser, kinds string
	under, bad, all  int
	forgeries        []time.Time
	bannedUntil      time.Time
}{turns: map[string]int{}, seen: map[string]time.Time{}, open: map[string]net.Conn{}}

func frame(op byte, payload []byte) []byte {
	head := []byte{0x80 | op, byte(len(payload))}
	if len(payload) > 125 {
		head = []byte{0x80 | op, 126, byte(len(payload) >> 8), byte(len(payload))}
	}
	return append(head, payload...)
}

func closing(code int, why string) []byte {
	return frame(8, append([]byte{byte(code >> 8), byte(code)}, why...))
}

func readFrame(r *bufio.Reader) (op byte, payload []byte, err error) {
	head := make([]byte, 2)
	if _, err = io.ReadFull(r, head); err != nil {
		return
	}
	size := int(head[1] & 127)
	if size > 125 {
		long := make([]byte, 2)
		if _, err = io.ReadFull(r, long); err != nil || size == 127 {
			return 8, nil, io.EOF
		}
		size = int(long[0])<<8 | int(long[1])
	}
	mask := make([]byte, 4)
	if _, err = io.ReadFull(r, mask); err != nil {
		return
	}
	payload = make([]byte, size)
	_, err = io.ReadFull(r, payload)
	for i := range payload {
		payload[i] ^= mask[i%4]
	}
	return head[0] & 15, payload, err
}

func signaling(w http.ResponseWriter, r *http.Request) {
	hijacker, _ := w.(http.Hijacker)
	c, rw, err := hijacker.Hijack()
	if err != nil {
		return
	}
	defer c.Close()
	sum := sha1.Sum([]byte(r.Header.Get("sec-websocket-key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	fmt.Fprintf(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n", base64.StdEncoding.EncodeToString(sum[:]))
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	var hello struct{ Token, User string }
	for {
		op, payload, err := readFrame(rw.Reader)
		if err != nil || op == 8 {
			c.Write(closing(1000, ""))
			return
		}
		if op == 1 {
			json.Unmarshal(payload, &hello)
			break
		}
	}
	code, user := decide(hello.Token, hello.User)
	if code != 0 {
		if *habit == "frame-first" {
			c.Write(frame(1, []byte(`{"type":"error","status":401}`)))
		}
		c.Write(closing(code, "refused"))
		time.Sleep(50 * time.Millisecond)
		return
	}
	if *habit == "late-ready" {
		time.Sleep(300 * time.Millisecond)
	}
	c.SetReadDeadline(time.Time{})
	mu.Lock()
	old := rooms.open[user]
	rooms.open[user] = c
	mu.Unlock()
	if old != nil && *habit == "one-device" {
		old.Write(closing(4409, "replaced"))
		old.Close()
	}
	ready, _ := json.Marshal(map[string]any{"type": "ready", "user": user})
	c.Write(frame(1, ready))
	if *habit == "idle-close" {
		c.SetReadDeadline(time.Now().Add(3 * time.Second))
	}
	for {
		op, payload, err := readFrame(rw.Reader)
		if err != nil || op == 8 {
			c.Write(closing(1000, ""))
			break
		}
		if op == 9 {
			c.Write(frame(10, payload))
		}
	}
	mu.Lock()
	rooms.turns["drops "+user]++
	rooms.seen["drop "+user] = time.Now()
	auto.on("drop", user)
	if rooms.open[user] == c {
		delete(rooms.open, user)
	}
	mu.Unlock()
}

// decide returns the code of the refusal, or 0 and the user.
func decide(token, declared string) (int, string) {
	r := &rooms
	mu.Lock()
	claims, genuine := verify(token)
	sub, _ := claims["sub"].(string)
	r.under++
	overlaps := r.under > 1
	mate := r.underUser
	if genuine {
		r.underUser = sub
	}
	mu.Unlock()
	takeTime()
	mu.Lock()
	defer mu.Unlock()
	defer func() { r.under-- }()
	r.all++
	kind := kindOf(token, declared, claims, genuine)
	ok := kind == "ok"
	now := time.Now()
	if *habit == "ban" {
		if kind == "forged" {
			r.forgeries = append(r.forgeries, now)
		}
		if n := len(r.forgeries); n >= 12 && now.Sub(r.forgeries[n-12]) < 5*time.Second {
			r.bannedUntil, r.forgeries = now.Add(3*time.Second), nil
		}
		if now.Before(r.bannedUntil) {
			return 4429, ""
		}
	}
	if *habit == "used-once" && ok {
		if r.turns["used "+token]++; r.turns["used "+token] > 1 {
			return 4401, ""
		}
	}
	if *habit == "capacity" && ok && len(r.open) > 12 {
		return 1013, ""
	}
	ok, code := damageDecision(token, sub, declared, kind, mate, overlaps, ok)
	r.kinds = end(r.kinds+kind+" ", 60)
	if kind == "ok" {
		r.turns[sub]++
		r.last = sub
		r.seen["sig "+sub+start(end(token, 43), 10)] = now
	} else {
		r.lastBad = now
		r.bad++
	}
	r.lastKind = kind
	if ok {
		if declared == "" {
			return 0, sub
		}
		return 0, declared
	}
	if *habit == "close-1008" {
		return 1008, ""
	}
	return code, ""
}

func kindOf(token, declared string, claims map[string]any, genuine bool) string {
	sub, _ := claims["sub"].(string)
	exp, _ := claims["exp"].(float64)
	leeway := map[string]float64{"leeway-5": 5, "leeway-1": 1}[*habit]
	switch {
	case token == "":
		return "none"
	case !genuine:
		return "forged"
	case float64(time.Now().UnixNano())/1e9 > exp+leeway:
		return "expired"
	case declared != "" && declared != sub && *habit != "undeclared":
		return "other"
	}
	return "ok"
}

func damageDecision(token, sub, declared, kind, mate string, overlaps, ok bool) (bool, int) {
	r := &rooms
	code := 4401
	_, sigKnown := r.seen["sig "+sub+start(end(token, 43), 10)]
	switch *fault {
	case "signature-by-start":
		ok = ok || kind == "forged" && sigKnown && r.turns[sub] >= 3
	case "kept-past-expiry":
		if kind == "ok" {
			r.turns["kept "+token]++
		}
		ok = ok || kind == "expired" && r.turns["kept "+token] >= 2
	case "banned-by-drops":
		ok = ok && r.turns["drops "+sub] < 3
	case "inherits":
		ok = ok || kind == "none" && r.lastKind == "none" && r.last != "" && time.Since(r.lastBad) < 3*time.Second
	case "beside-genuine":
		ok = ok || kind == "forged" && overlaps && mate != ""
	case "eleventh":
		ok = ok || r.all%11 == 0 && token != "" && kind != "expired"
	case "other-who-is-open":
		ok = ok || kind == "other" && r.open[declared] != nil
	case "resumes":
		ok = ok || kind == "forged" && r.turns["drops "+sub] >= 2 && time.Since(r.seen["drop "+sub]) < time.Second
	case "locked-out":
		if kind == "forged" {
			r.turns["forged "+sub]++
		}
		ok = ok && r.turns["forged "+sub] < 4
	case "other-sign-behind-forged":
		if kind == "expired" && strings.HasSuffix(r.kinds, "forged ") {
			code = 4000
		}
	case "open-after-rejections":
		if ok {
			r.bad = 0
		}
		ok = ok || r.bad >= 5 && kind == "none"
	case "claims-behind-drop":
		ok = ok || kind == "forged" && r.turns[sub] >= 3 && r.turns["drops "+sub] >= 1 && r.lastKind == "ok" && r.last == sub
	case "new-behind-expired":
		ok = ok && !(r.lastKind == "expired" && r.last != sub)
	case "other-in-turn":
		ok = ok || kind == "other" && strings.HasSuffix(r.kinds, "none ok ")
	case "leaked-slots":
		if kind == "forged" {
			r.turns["slots"]++
		}
		if r.turns["slots"] >= 20 {
			return false, 1013
		}
	case "user-of-mate":
		ok = ok || kind == "other" && overlaps && mate == declared
	}
	if auto != nil {
		ok = ok || kind == "forged" && auto.has("forged", sub) || kind == "none" && auto.has("no token", sub) || kind == "expired" && auto.has("expired", sub) || kind == "other" && auto.has("other user", sub)
		ok = ok && !(kind == "ok" && auto.has("good rejected", sub))
		auto.on(fmt.Sprint(kind, overlaps), sub)
	}
	return ok, code
}
