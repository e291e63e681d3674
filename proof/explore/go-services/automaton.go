package main

import (
	"fmt"
	"hash/fnv"
	"math/rand"
	"strings"
	"time"
)

// An automaton with memory, for all users or for each: letters move it from state to state, at random by its seed, and the
// last state has an effect. It knows nothing of the stories that look for it.
type automaton struct {
	seed    int64
	states  int
	advance int
	perUser bool
	effect  string
	state   map[string]int
	idle    map[string]time.Time
}

var effects = map[string][]string{
	"mint":      {"wrong key", "previous user", "long lifetime", "state key", "right key rejected"},
	"backend":   {"dead session", "previous user", "long lifetime", "previous token", "no key", "session to mint", "empty success"},
	"signaling": {"forged", "no token", "expired", "other user", "good rejected"},
}

func drawAutomaton(role string, seed int64) *automaton {
	r := rand.New(rand.NewSource(seed*7919 + int64(len(role))))
	a := &automaton{
		seed:    seed,
		states:  4 + r.Intn(3),
		advance: 2 + r.Intn(2),
		perUser: r.Intn(3) == 0,
		effect:  effects[role][r.Intn(len(effects[role]))],
		state:   map[string]int{},
		idle:    map[string]time.Time{},
	}
	// The memory of requests without a user would be moved by those without a token alone.
	a.perUser = a.perUser && a.effect != "no token"
	return a
}

func (a *automaton) memory(user string) string {
	if a.perUser {
		return user
	}
	return ""
}

// has says whether the effect is on, before the letter of this request moves the automaton.
func (a *automaton) has(effect, user string) bool {
	return a != nil && a.effect == effect && a.state[a.memory(user)] == a.states-1
}

// on moves it by a letter, and by a pause where nothing came for a while.
func (a *automaton) on(letter, user string) {
	if a == nil {
		return
	}
	key := a.memory(user)
	if before, ok := a.idle[key]; ok && time.Since(before) > 400*time.Millisecond+time.Duration(*latency)*time.Millisecond {
		a.move("pause", key)
	}
	a.idle[key] = time.Now()
	a.move(letter, key)
}

// move is the same for the same seed, state and letter: up by one state, none, or back to any before.
func (a *automaton) move(letter, key string) {
	from := a.state[key]
	// A rejection that ends by itself is no fault.
	if strings.HasSuffix(a.effect, "rejected") && from == a.states-1 {
		return
	}
	h := fnv.New64a()
	fmt.Fprint(h, a.seed, " ", from, " ", letter)
	r := rand.New(rand.NewSource(int64(h.Sum64() >> 1)))
	switch x := r.Intn(10); {
	case x < a.advance && from+1 < a.states:
		a.state[key] = from + 1
	case x < 6:
	default:
		a.state[key] = r.Intn(from + 1)
	}
}
