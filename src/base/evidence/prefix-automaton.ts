/** A text that is looked for, from its first character on. */
export interface Pattern {
  readonly text: string
  /** The number of its first characters that are worth a hit. */
  readonly least: number
}

/** The pattern of which a text contains the most at a place. */
export interface PrefixHit {
  start: number
  end: number
  /** Its index among the patterns. */
  pattern: number
}

/** More of a pattern is compared rather than indexed, so that long ones cost no memory. */
const indexed = 256

/** Finds the beginnings of many patterns at once. */
export interface PrefixAutomaton {
  /** Hits that overlap are one, with the longest pattern. Takes time in proportion to the text, whatever the patterns are. */
  find(text: string): PrefixHit[]
}

/**
 * The automaton of Aho and Corasick. After each character, its state is the longest beginning of a pattern that ends there,
 * so one interval a character covers everything that is to be found.
 */
export function createPrefixAutomaton(patterns: readonly Pattern[]): PrefixAutomaton {
  const most = patterns.reduce((sum, { text }) => sum + Math.min(text.length, indexed), 1)
  const edges = createEdges(most)
  const depth = new Int32Array(most)
  const parent = new Int32Array(most)
  const letter = new Uint16Array(most)
  /** The pattern that a state is a hit of; -1 where it is none. */
  const pattern = new Int32Array(most).fill(-1)
  /** Patterns that go on behind the last state that is indexed. */
  const longer = new Map<number, number[]>()
  /** Says for each letter whether a pattern begins with it: most places of a text need no other look. */
  const begins = new Uint8Array(65_536)
  let states = 1

  for (const [index, { text, least }] of patterns.entries()) {
    const length = Math.min(text.length, indexed)
    begins[text.charCodeAt(0)] = 1
    let state = 0
    for (let at = 0; at < length; at += 1) {
      const code = text.charCodeAt(at)
      let next = edges.get(state, code)
      if (next === 0) {
        next = states
        states += 1
        edges.set(state, code, next)
        parent[next] = state
        letter[next] = code
        depth[next] = at + 1
      }
      state = next
      const isWhole = at + 1 === text.length
      if (isWhole || (at + 1 >= Math.min(least, indexed) && pattern[state] === -1)) pattern[state] = index
    }
    if (text.length > indexed) longer.set(state, [...(longer.get(state) ?? []), index])
  }

  /** The state of the longest end of a state that begins another pattern. */
  const shorter = new Int32Array(states)
  /** The longest end of a state that is a hit; 0 without one. */
  const hit = new Int32Array(states)
  for (const state of orderByDepth(depth, states)) {
    const code = letter[state] ?? 0
    let before = parent[state] ?? 0
    while (before !== 0) {
      before = shorter[before] ?? 0
      const next = edges.get(before, code)
      if (next === 0) continue
      shorter[state] = next
      break
    }
    hit[state] = (pattern[state] ?? -1) >= 0 ? state : (hit[shorter[state] ?? 0] ?? 0)
  }

  return {
    find(text) {
      const hits: PrefixHit[] = []
      const joined = createJoin(hits)
      /** How far the long patterns behind a state were followed: a repetition of one is not followed from each of its places. */
      const followed = new Map<number, number>()
      let state = 0
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at)
        if (state === 0 && begins[code] === 0) continue
        let next = edges.get(state, code)
        while (next === 0 && state !== 0) {
          state = shorter[state] ?? 0
          next = edges.get(state, code)
        }
        state = next
        const found = hit[state] ?? 0
        if (found === 0) continue
        const end = at + 1
        const start = end - (depth[found] ?? 0)
        joined.add(start, end, pattern[found] ?? 0)
        const candidates = longer.get(found)
        if (candidates === undefined || start < (followed.get(found) ?? 0)) continue
        for (const index of candidates) {
          const until = start + commonLength(text, start, patterns[index]?.text ?? '', end - start)
          joined.add(start, until, index)
          followed.set(found, Math.max(until, followed.get(found) ?? 0))
        }
      }
      return hits
    },
  }
}

/** Joins hits that overlap while they are added, by their ends. */
function createJoin(hits: PrefixHit[]) {
  let last: PrefixHit | null = null
  let longest = 0
  return {
    add(start: number, end: number, pattern: number): void {
      if (last === null || start >= last.end) {
        last = { start, end, pattern }
        longest = end - start
        hits.push(last)
        return
      }
      if (end - start >= longest) {
        last.pattern = pattern
        longest = end - start
      }
      last.start = Math.min(last.start, start)
      last.end = Math.max(last.end, end)
    },
  }
}

/** How many characters of a text and of a pattern are the same from a place on; the first ones are known to be. */
function commonLength(text: string, start: number, pattern: string, known: number): number {
  let length = known
  while (
    length < pattern.length &&
    start + length < text.length &&
    text.charCodeAt(start + length) === pattern.charCodeAt(length)
  )
    length += 1
  return length
}

function orderByDepth(depth: Int32Array, states: number): Int32Array {
  const counts = new Int32Array(indexed + 2)
  for (let state = 1; state < states; state += 1) {
    const level = (depth[state] ?? 0) + 1
    counts[level] = (counts[level] ?? 0) + 1
  }
  for (let level = 1; level < counts.length; level += 1)
    counts[level] = (counts[level] ?? 0) + (counts[level - 1] ?? 0)
  const ordered = new Int32Array(states - 1)
  for (let state = 1; state < states; state += 1) {
    const level = depth[state] ?? 0
    const place = counts[level] ?? 0
    ordered[place] = state
    counts[level] = place + 1
  }
  return ordered
}

/** The edges of all states in one table: a state has few, and a text asks for each of its characters. */
function createEdges(states: number) {
  const slots = 2 ** Math.ceil(Math.log2(states * 2 + 2))
  const from = new Int32Array(slots)
  const letters = new Uint16Array(slots)
  const to = new Int32Array(slots)
  const slotOf = (state: number, code: number): number => {
    let slot = (Math.imul(state, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b)) >>> 0
    slot = (slot ^ (slot >>> 15)) & (slots - 1)
    while (to[slot] !== 0 && (from[slot] !== state || letters[slot] !== code)) slot = (slot + 1) & (slots - 1)
    return slot
  }
  return {
    /** 0 where there is none: no edge leads to the first state. */
    get: (state: number, code: number): number => to[slotOf(state, code)] ?? 0,
    set(state: number, code: number, next: number): void {
      const slot = slotOf(state, code)
      from[slot] = state
      letters[slot] = code
      to[slot] = next
    },
  }
}
