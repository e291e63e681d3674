package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

type mintRequest struct {
	key, user, idempotency string
	ttl                    *int
	status                 int
	overlaps               bool
	gap                    time.Duration
}

var minted = struct {
	all, wrong, underWay, openLeft, tokens int
	under                                  string
	before                                 mintRequest
	beforeEnded, served                    time.Time
	rejectedTTL                            *int
	known                                  map[string]time.Time
	replies                                map[string]string
	turns                                  map[string]int
	wrongs                                 []time.Time
	statuses                               string
	bannedUntil                            time.Time
}{known: map[string]time.Time{}, replies: map[string]string{}, turns: map[string]int{}}

var statusOf = map[string]int{goodKey: 200, otherKey: 200, cappedKey: 429, trialKey: 402, heldKey: 403}

func mint(w http.ResponseWriter, r *http.Request) {
	var body struct {
		UserID     *string `json:"userId"`
		TTLSeconds *int    `json:"ttlSeconds"`
	}
	if r.Method != "POST" {
		answer(w, 405, map[string]any{"error": "method"})
		return
	}
	unread := json.NewDecoder(r.Body).Decode(&body)
	q := mintRequest{key: bearer(r), ttl: body.TTLSeconds, idempotency: r.Header.Get("idempotency-key")}
	if body.UserID != nil {
		q.user = *body.UserID
	}
	if q.status = statusOf[q.key]; q.status == 0 {
		q.status = 401
	}
	// A cap that is counted anew every minute announces it. What is announced counts from the decision, and not from the answer.
	second := time.Now().Second()
	if *habit == "cap-resets" && q.key == cappedKey && second < 5 {
		q.status = 200
	}
	mu.Lock()
	minted.under = q.user
	minted.underWay++
	q.overlaps = minted.underWay > 1
	q.gap = time.Since(minted.beforeEnded)
	mu.Unlock()
	if *role == "mint" {
		takeTime()
	}
	mu.Lock()
	defer mu.Unlock()
	defer func() {
		minted.underWay--
		minted.before, minted.beforeEnded = q, time.Now()
	}()
	if *role == "mint" && banned(w, q) {
		return
	}
	asked := q
	if *role == "mint" {
		damageMint(&asked)
	}
	if asked.status != 200 {
		if q.status == 401 {
			minted.wrong++
		}
		minted.rejectedTTL = q.ttl
		if *habit == "cap-resets" && q.status == 429 {
			w.Header().Set("retry-after", fmt.Sprint(60-second))
		}
		answer(w, asked.status, map[string]any{"error": map[string]any{"message": "no"}})
		return
	}
	if unread != nil || body.UserID == nil || q.user == "" {
		answer(w, 400, map[string]any{"error": "userId"})
		return
	}
	issue(w, q, asked)
}

// banned pauses after many wrong keys, and says for how long.
func banned(w http.ResponseWriter, q mintRequest) bool {
	now := time.Now()
	if *habit == "ban" && q.status == 401 {
		minted.wrongs = append(minted.wrongs, now)
		if n := len(minted.wrongs); n >= 12 && now.Sub(minted.wrongs[n-12]) < 5*time.Second {
			minted.bannedUntil, minted.wrongs = now.Add(3*time.Second), nil
		}
	}
	if now.After(minted.bannedUntil) {
		return false
	}
	w.Header().Set("retry-after", "3")
	answer(w, 429, map[string]any{"error": "too many wrong keys"})
	return true
}

func damageMint(q *mintRequest) {
	m := &minted
	m.all++
	near := q.status == 401 && strings.HasPrefix(q.key, "ac_live_") || q.status == 401 && strings.HasPrefix(strings.ToLower(q.key), "ac_live_")
	real := q.status
	switch *fault {
	case "negative-by-end":
		if real == 401 && q.key != "" {
			m.turns[end(q.key, 6)]++
		}
		if real == 200 && m.turns[end(q.key, 6)] >= 3 {
			q.status = 401
		}
	case "positive-by-start":
		if q.key == goodKey && time.Since(m.served) < time.Second {
			m.known[start(q.key, 20)] = time.Now()
		}
		if real != 200 && len(q.key) > 20 && time.Since(m.known[start(q.key, 20)]) < 10*time.Second {
			q.status = 200
		}
	case "cap-forgotten-in-pause":
		if q.key == cappedKey && m.before.key == cappedKey && q.gap > 900*time.Millisecond {
			q.status = 200
		}
	case "held-beside-another":
		if q.key == heldKey && q.overlaps {
			q.status = 200
		}
	case "fails-open":
		if real == 401 {
			now := time.Now()
			m.wrongs = append(m.wrongs, now)
			if n := len(m.wrongs); n >= 8 && now.Sub(m.wrongs[n-8]) < 8*time.Second {
				m.openLeft, m.wrongs = 2, nil
			} else if m.openLeft > 0 {
				m.openLeft--
				q.status = 200
			}
		}
	case "same-user-again":
		if near && m.before.status == 200 && m.before.user == q.user && m.turns[q.user] >= 2 {
			q.status = 200
		}
		if real == 200 {
			m.turns[q.user]++
		}
	case "behind-other-project":
		if near && m.before.key == otherKey {
			q.status = 200
		}
	case "trial-behind-wrong":
		m.statuses = end(m.statuses+fmt.Sprint(real, " "), 12)
		if q.key == trialKey && m.statuses == "401 401 402 " {
			q.status = 200
		}
	case "locked-user":
		if near {
			m.turns[q.user]++
		}
		if real == 200 && m.turns[q.user] >= 3 {
			q.status = 401
		}
	case "third-rejected":
		if q.key == goodKey {
			m.turns["good"]++
		}
		if q.key == goodKey && m.turns["good"]%3 == 0 {
			q.status = 401
		}
	case "expiring-ban":
		if real == 401 && m.before.status == 401 {
			m.turns["row"]++
		} else {
			m.turns["row"] = 0
		}
		if m.turns["row"] >= 5 {
			m.turns["banned"] = 1
		}
		if real == 200 && m.turns["banned"] == 1 {
			q.status = 403
		}
	}
	if real == 401 && q.key != "" && auto.has("wrong key", q.user) || real != 401 && real != 200 && auto.has("state key", q.user) {
		q.status = 200
	}
	if real == 200 && auto.has("right key rejected", q.user) {
		q.status = 401
	}
	if real == 200 && auto.has("previous user", q.user) && m.before.user != "" {
		q.user = m.before.user
	}
	if real == 200 && auto.has("long lifetime", q.user) {
		long := 3600
		q.ttl = &long
	}
	auto.on(fmt.Sprint(real, q.key == otherKey, q.ttl != nil, q.idempotency != "", q.overlaps), q.user)
}

func issue(w http.ResponseWriter, q, asked mintRequest) {
	m := &minted
	kept := q.key + q.idempotency + q.user
	if *fault == "idempotency-for-all" && q.overlaps {
		kept = q.idempotency
	}
	if q.idempotency != "" && (*habit == "idempotency" || *fault == "idempotency-for-all") && m.replies[kept] != "" {
		answer(w, 200, map[string]any{"token": m.replies[kept]})
		return
	}
	user, ttl := asked.user, 600
	switch {
	case asked.ttl != nil:
		ttl = *asked.ttl
	case *fault == "lifetime-of-rejected" && m.before.status != 200 && m.rejectedTTL != nil:
		ttl = *m.rejectedTTL
	case *fault == "lifetime-of-before" && q.gap < 400*time.Millisecond && m.before.ttl != nil && m.before.user != q.user:
		ttl = *m.before.ttl
	}
	switch *fault {
	case "user-behind-other-project":
		if m.before.key == otherKey && m.before.user != "" {
			user = m.before.user
		}
	case "user-under-way":
		if q.overlaps {
			user = m.under
		}
	case "fourth-of-user":
		if m.turns[user]++; m.turns[user] == 4 && m.before.user != user && m.before.user != "" {
			user = m.before.user
		}
	}
	m.served = time.Now()
	token := newToken(q.key, user, ttl)
	if q.idempotency != "" {
		m.replies[q.key+q.idempotency+q.user] = token
		if *fault == "idempotency-for-all" {
			m.replies[q.idempotency] = token
		}
	}
	switch *habit {
	case "plain-text":
		w.Header().Set("content-type", "application/jwt")
		w.Write([]byte(token))
	case "nested":
		answer(w, 201, map[string]any{"data": map[string]any{"jwt": token}, "jwt": token})
	default:
		answer(w, 200, map[string]any{"token": token, "expiresIn": ttl})
	}
}

func newToken(key, user string, ttl int) string {
	if ttl < 2 {
		ttl = 2
	}
	if ttl > 3600 {
		ttl = 3600
	}
	now := time.Now().Unix()
	exp := now + int64(ttl)
	claims := map[string]any{"sub": user, "iat": now, "jti": newID()}
	kept := fmt.Sprint(key, user, ttl)
	switch *habit {
	case "whole-minutes":
		exp = (exp/60 + 1) * 60
	case "spread-ends":
		exp += int64(ttl) / 20 * (now%3 - 1)
	case "same-second":
		delete(claims, "jti")
	case "cached":
		if token := minted.replies[kept]; token != "" && time.Since(minted.known[kept]) < 5*time.Second {
			return token
		}
	case "two-nodes":
		minted.tokens++
		claims["node"] = minted.tokens % 2
	}
	claims["exp"] = exp
	token := sign(claims)
	if *habit == "cached" {
		minted.replies[kept], minted.known[kept] = token, time.Now()
	}
	return token
}
