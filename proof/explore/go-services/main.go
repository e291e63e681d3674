// Command services is a mint, a backend or signaling with at most one fault or one habit. It shares no code with the suite.
package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	mrand "math/rand"
	"net/http"
	"strings"
	"sync"
	"time"
)

var (
	role    = flag.String("role", "mint", "mint, backend or signaling")
	port    = flag.Int("port", 20000, "where it listens")
	latency = flag.Int("latency", 0, "milliseconds of an answer, a tenth more or less")
	rate    = flag.Int("rate", 25, "requests a second, 0 for no limit")
	fault   = flag.String("fault", "", "its fault; a number draws an automaton")
	habit   = flag.String("habit", "", "how it differs without a fault")
	mintURL = flag.String("mint", "", "the mint of the backend")
)

const (
	goodKey   = "ac_live_Zx81kQp0vTn4LrYs6WbHq2Fd"
	otherKey  = "ac_live_Pw77mNb2cVx5ZaQs1WeRt9Yu"
	cappedKey = "ac_live_Cc11mNb2cVx5ZaQs1WeRt9Yu"
	trialKey  = "ac_live_Tt22mNb2cVx5ZaQs1WeRt9Yu"
	heldKey   = "ac_live_Ss33mNb2cVx5ZaQs1WeRt9Yu"
)

var (
	mu      sync.Mutex
	begun   = time.Now()
	secrets = [][]byte{[]byte("the first secret of the service 0123456789"), []byte("the second secret of the service 012345678")}
	auto    *automaton
	recent  []time.Time
)

func main() {
	flag.Parse()
	var seed int64
	if _, err := fmt.Sscanf(*fault, "%d", &seed); err == nil {
		auto = drawAutomaton(*role, seed)
	}
	mux := http.NewServeMux()
	switch *role {
	case "mint":
		mux.HandleFunc("/api/v1/calling/token", limited(mint))
	case "backend":
		mux.HandleFunc("/login", login)
		mux.HandleFunc("/logout", logout)
		mux.HandleFunc("/calls/token", limited(tokenRoute))
	case "signaling":
		mux.HandleFunc("/api/v1/calling/token", mint)
		mux.HandleFunc("/rtc", limited(signaling))
	}
	server := &http.Server{Addr: fmt.Sprintf("127.0.0.1:%d", *port), Handler: mux}
	if *habit == "no-keep-alive" {
		server.SetKeepAlivesEnabled(false)
	}
	if *habit == "short-keep-alive" {
		server.IdleTimeout = 200 * time.Millisecond
	}
	panic(server.ListenAndServe())
}

// limited refuses what comes too fast, or while the service starts.
func limited(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if *habit == "slow-start" && time.Since(begun) < 3*time.Second {
			w.Header().Set("retry-after", "1")
			answer(w, 503, map[string]any{"error": "starting"})
			return
		}
		mu.Lock()
		now := time.Now()
		for len(recent) > 0 && now.Sub(recent[0]) > time.Second {
			recent = recent[1:]
		}
		full := *rate > 0 && len(recent) >= *rate
		if !full {
			recent = append(recent, now)
		}
		mu.Unlock()
		if !full {
			serve(w, r)
			return
		}
		if *habit != "bare-429" {
			w.Header().Set("retry-after", "1")
		}
		answer(w, 429, map[string]any{"error": "slow down"})
	}
}

func takeTime() {
	if *latency > 0 {
		fifth := *latency/5 + 1
		time.Sleep(time.Duration(*latency-fifth/2+mrand.Intn(fifth)) * time.Millisecond)
	}
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("content-type", "application/json")
	w.Header().Set("cache-control", "no-store")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

func bearer(r *http.Request) string {
	scheme, credential, _ := strings.Cut(r.Header.Get("authorization"), " ")
	if scheme != "Bearer" {
		return ""
	}
	return credential
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func newID() string {
	b := make([]byte, 12)
	rand.Read(b)
	return hex.EncodeToString(b)
}

func mac(text string, secret []byte) string {
	m := hmac.New(sha256.New, secret)
	m.Write([]byte(text))
	return encode(m.Sum(nil))
}

func sign(claims map[string]any) string {
	which := 0
	if *habit == "rotated-keys" && time.Now().Unix()/20%2 == 1 {
		which = 1
	}
	header, _ := json.Marshal(map[string]any{"alg": "HS256", "typ": "JWT", "kid": fmt.Sprint("k", which)})
	body, _ := json.Marshal(claims)
	text := encode(header) + "." + encode(body)
	return text + "." + mac(text, secrets[which])
}

func verify(token string) (claims map[string]any, genuine bool) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil, false
	}
	body, _ := base64.RawURLEncoding.DecodeString(parts[1])
	json.Unmarshal(body, &claims)
	for _, secret := range secrets {
		genuine = genuine || mac(parts[0]+"."+parts[1], secret) == parts[2]
	}
	return claims, genuine
}

func start(text string, n int) string {
	if len(text) > n {
		return text[:n]
	}
	return text
}

func end(text string, n int) string {
	if len(text) > n {
		return text[len(text)-n:]
	}
	return text
}
