package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

type session struct {
	user  string
	until time.Time
	out   bool
	outAt time.Time
}

type keptToken struct {
	token string
	exp   time.Time
}

var back = struct {
	sessions                        map[string]*session
	turns                           map[string]int
	users                           map[string]string
	kept                            map[string]keptToken
	flights                         map[string]*flight
	kinds                           string
	lastUser, busyUser              string
	last                            keptToken
	leftover                        keptToken
	failedAt                        time.Time
	fails, refused, busy, outs, all int
	refusals                        []time.Time
	bannedUntil                     time.Time
}{sessions: map[string]*session{}, turns: map[string]int{}, users: map[string]string{}, kept: map[string]keptToken{}, flights: map[string]*flight{}}

// flight is a mint call that several requests of a user share.
type flight struct {
	done   sync.WaitGroup
	status int
	token  string
}

func login(w http.ResponseWriter, r *http.Request) {
	body := struct {
		User string
		TTL  int
	}{TTL: 3600}
	json.NewDecoder(r.Body).Decode(&body)
	id := newID() + newID()
	mu.Lock()
	back.sessions[id] = &session{user: body.User, until: time.Now().Add(time.Duration(body.TTL) * time.Second)}
	mu.Unlock()
	answer(w, 200, map[string]any{"session": id})
}

func logout(w http.ResponseWriter, r *http.Request) {
	mu.Lock()
	if s := back.sessions[bearer(r)]; s != nil {
		s.out, s.outAt = true, time.Now()
		back.outs++
		auto.on("out", s.user)
	}
	mu.Unlock()
	if *habit == "no-content" {
		w.WriteHeader(204)
		return
	}
	answer(w, 200, map[string]any{"ok": true})
}

// live says whose the session is, and whether it may be served.
func live(s *session) (string, bool) {
	if s == nil {
		return "", false
	}
	if *habit == "late-sign-out" && time.Since(s.outAt) < time.Second {
		return s.user, time.Now().Before(s.until)
	}
	lag := time.Duration(0)
	if *habit == "two-nodes" && back.all%2 == 1 {
		lag = 2 * time.Second
	}
	return s.user, time.Now().Before(s.until) && (!s.out || time.Since(s.outAt) < lag)
}

var mintClient = &http.Client{Timeout: 6 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}

func callMint(user, key string, ttl int, extra http.Header) (status int, token, retryAfter string) {
	body, _ := json.Marshal(map[string]any{"userId": user, "ttlSeconds": ttl})
	q, _ := http.NewRequest("POST", *mintURL+"/api/v1/calling/token", bytes.NewReader(body))
	q.Header.Set("content-type", "application/json")
	if key != "" {
		q.Header.Set("authorization", "Bearer "+key)
	}
	for name, values := range extra {
		q.Header[name] = values
	}
	res, err := mintClient.Do(q)
	if err != nil {
		return 0, "", ""
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	var read map[string]any
	json.Unmarshal(text, &read)
	for _, name := range []string{"token", "jwt"} {
		if found, ok := read[name].(string); ok && found != "" && res.StatusCode < 300 {
			return res.StatusCode, found, ""
		}
	}
	return res.StatusCode, "", res.Header.Get("retry-after")
}

func expiryOf(token string) time.Time {
	claims, _ := verify(token)
	exp, _ := claims["exp"].(float64)
	return time.Unix(int64(exp), 0)
}

func tokenRoute(w http.ResponseWriter, r *http.Request) {
	takeTime()
	id := bearer(r)
	mu.Lock()
	b := &back
	b.all++
	s := b.sessions[id]
	user, valid := live(s)
	user, valid = damageSession(id, s, user, valid)
	now := time.Now()
	if !valid {
		b.refused++
		b.kinds = end(b.kinds+"refused ", 60)
		if b.refusals = append(b.refusals, now); *habit == "ban" && len(b.refusals) >= 10 && now.Sub(b.refusals[len(b.refusals)-10]) < 5*time.Second {
			b.bannedUntil, b.refusals = now.Add(3*time.Second), nil
		}
		mu.Unlock()
		answer(w, 401, map[string]any{"error": "session"})
		return
	}
	b.refused = 0
	if now.Before(b.bannedUntil) {
		mu.Unlock()
		w.Header().Set("retry-after", "3")
		answer(w, 429, map[string]any{"error": "banned"})
		return
	}
	if token := shortcut(user); token != "" {
		mu.Unlock()
		answer(w, 200, map[string]any{"token": token})
		return
	}
	if *fault == "leaked-slots" && b.turns["slots"] >= 5 {
		mu.Unlock()
		answer(w, 500, map[string]any{"error": "no slot"})
		return
	}
	if *habit == "breaker" && b.fails >= 5 && now.Sub(b.failedAt) < 5*time.Second {
		mu.Unlock()
		answer(w, 503, map[string]any{"error": "the mint is down"})
		return
	}
	as, key, ttl, extra := damageCall(id, user)
	before := b.fails
	b.turns["flight "+user]++
	b.busy++
	b.busyUser = user
	mu.Unlock()
	status, token := mintFor(as, key, ttl, extra)
	mu.Lock()
	defer mu.Unlock()
	b.turns["flight "+user]--
	b.busy--
	conclude(w, user, status, token, before, s)
}

// mintFor calls the mint as the habit wants it.
func mintFor(user, key string, ttl int, extra http.Header) (int, string) {
	if *habit == "one-flight" {
		mu.Lock()
		if f := back.flights[user]; f != nil {
			mu.Unlock()
			f.done.Wait()
			return f.status, f.token
		}
		f := &flight{}
		f.done.Add(1)
		back.flights[user] = f
		mu.Unlock()
		f.status, f.token, _ = callMint(user, key, ttl, extra)
		mu.Lock()
		delete(back.flights, user)
		mu.Unlock()
		f.done.Done()
		return f.status, f.token
	}
	status, token, after := callMint(user, key, ttl, extra)
	if *habit == "retry" && (status == 503 || status == 0) {
		time.Sleep(100 * time.Millisecond)
		status, token, _ = callMint(user, key, ttl, extra)
	}
	if *habit == "waits" && status == 429 && after != "" && len(after) == 1 {
		time.Sleep(time.Second)
		status, token, _ = callMint(user, key, ttl, extra)
	}
	return status, token
}

// damageSession decides about a session wrongly.
func damageSession(id string, s *session, user string, valid bool) (string, bool) {
	b := &back
	part := start(id, 16)
	switch *fault {
	case "session-by-start":
		if valid {
			b.turns[part]++
			b.users[part] = user
		} else if id != "" && b.turns[part] >= 3 {
			return b.users[part], true
		}
	case "joins-flight":
		if !valid && s != nil && b.turns["flight "+s.user] > 0 {
			return s.user, true
		}
	case "open-after-refusals":
		if !valid && s != nil && b.refused >= 4 {
			return s.user, true
		}
	case "out-while-minting":
		if s != nil && s.out && b.turns["raced "+id] > 0 {
			return s.user, true
		}
	case "kicked-by-failures":
		if b.turns["stuck "+user] > 0 {
			return user, false
		}
	case "no-session-behind-closed":
		if id == "" && strings.HasSuffix(b.kinds, "closed ") && b.lastUser != "" {
			return b.lastUser, true
		}
	case "out-and-failed":
		if s != nil && s.out && strings.HasSuffix(b.kinds, "500 ") {
			return s.user, true
		}
	}
	if valid {
		return user, true
	}
	open := s != nil && auto.has("dead session", user)
	auto.on(fmt.Sprint("refused ", id != ""), user)
	return user, open
}

// shortcut is a token that is returned without a mint call.
func shortcut(user string) string {
	b := &back
	k, has := b.kept[user]
	switch {
	case *habit == "cached" && has && time.Until(k.exp) > 30*time.Second:
		return k.token
	case *fault == "leftover" && b.leftover.token != "" && time.Since(b.failedAt) < 10*time.Second && b.lastUser != user:
		k, b.leftover = b.leftover, keptToken{}
		return k.token
	case *fault == "ninth" && b.all%9 == 0 && b.last.token != "" && b.lastUser != user:
		return b.last.token
	case *fault == "cached-past-expiry" && has && b.turns["served "+user] >= 2 && strings.HasSuffix(b.kinds, "429 "):
		return k.token
	case auto.has("previous token", user) && b.last.token != "":
		auto.on("kept", user)
		return b.last.token
	}
	return ""
}

// damageCall says how the mint is called.
func damageCall(id, user string) (as, key string, ttl int, extra http.Header) {
	b := &back
	as, key, ttl = user, goodKey, 900
	if *habit == "five-minutes" {
		ttl = 300
	}
	switch *fault {
	case "user-of-busy":
		if b.busy > 0 && b.busyUser != user && b.fails >= 1 {
			as = b.busyUser
		}
	case "other-behind-sign-out":
		if b.outs > 0 && b.lastUser != user && b.lastUser != "" && b.all%3 == 0 {
			as = b.lastUser
		}
	case "day-behind-402":
		if strings.HasSuffix(b.kinds, "402 200 ") {
			ttl = 86400
		}
	case "session-in-retry":
		if strings.HasSuffix(b.kinds, "500 200 500 ") {
			extra = http.Header{"X-Forwarded-Session": {id}}
		}
	case "no-key-behind-limits":
		if strings.HasSuffix(b.kinds, "429 429 ") {
			key = ""
		}
	}
	switch {
	case auto.has("previous user", user) && b.lastUser != "":
		as = b.lastUser
	case auto.has("long lifetime", user):
		ttl = 86400
	case auto.has("no key", user):
		key = ""
	case auto.has("session to mint", user):
		extra = http.Header{"X-Forwarded-Session": {id}}
	}
	return as, key, ttl, extra
}

// conclude answers what the mint did.
func conclude(w http.ResponseWriter, user string, status int, token string, before int, s *session) {
	b := &back
	kind := fmt.Sprint(status)
	if status == 0 {
		kind = "closed"
	} else if status == 200 && token == "" {
		kind = "tokenless"
	}
	isEmpty := auto.has("empty success", user)
	auto.on(kind, user)
	b.kinds = end(b.kinds+kind+" ", 60)
	userBefore, tokenBefore := b.lastUser, b.last.token
	b.lastUser = user
	if s != nil && s.out {
		b.turns["raced "+bearerOf(s)]++
	}
	if token != "" {
		b.fails = 0
		b.last = keptToken{token, expiryOf(token)}
		b.kept[user] = b.last
		b.turns["served "+user]++
		if *fault == "swapped-behind-failures" && before >= 2 && tokenBefore != "" && userBefore != user {
			token = tokenBefore
		}
		if isEmpty {
			answer(w, 200, map[string]any{"token": nil})
			return
		}
		answer(w, 200, map[string]any{"token": token})
		return
	}
	b.fails++
	b.failedAt = time.Now()
	k := b.kept[user]
	switch *fault {
	case "kept-at-429":
		if k.token != "" && status == 429 && b.turns["served "+user] >= 2 {
			answer(w, 200, map[string]any{"token": k.token})
			return
		}
	case "opens-after-failures":
		if b.fails >= 3 && b.last.token != "" {
			answer(w, 200, map[string]any{"token": b.last.token})
			return
		}
	case "leftover":
		if kind == "closed" && k.token != "" {
			b.leftover = k
		}
	case "leaked-slots":
		if kind == "closed" {
			b.turns["slots"]++
		}
	case "key-in-error":
		if strings.HasSuffix(b.kinds, "401 403 ") {
			answer(w, 502, map[string]any{"error": "mint", "key": goodKey})
			return
		}
	case "empty-behind-limits":
		if strings.HasSuffix(b.kinds, "503 429 ") {
			answer(w, 200, map[string]any{"token": nil})
			return
		}
	case "kicked-by-failures":
		if status == 401 && before >= 1 {
			b.turns["stuck "+user]++
		}
	}
	answer(w, 502, map[string]any{"error": "mint failed"})
}

func bearerOf(s *session) string {
	for id, one := range back.sessions {
		if one == s {
			return id
		}
	}
	return ""
}
