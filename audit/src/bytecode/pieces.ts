/** A text in a file, without its end mark. */
export interface TextPlace {
  readonly start: number
  readonly end: number
}

/**
 * Finds the texts that could spell a prefix together, in any order: the last characters of one begin it, others are
 * whole parts of it, and one begins with the rest. An underscore may also come from a single character. A text that has
 * most of the prefix counts as well: something may be cut off or taken out of it.
 * @param onPart is given each text that has a good part of the prefix, whether or not others have the rest
 * @returns the indices of those that have a good part of the prefix, as one of them always has; none where the texts
 * cannot spell it
 */
export function findPieces(
  { bytes, texts, near, holds }: Looked,
  form: Form,
  onPart: (index: number) => void = () => {},
): number[] {
  const { whole, bit } = form
  const least = Math.ceil(whole.length * goodPart)
  const holdsPart = holds[form.index] ?? null
  const edge = createEdges(whole.length)
  let most: readonly Edge[] | null = null
  const pieces: { readonly index: number; readonly edges: readonly Edge[] }[] = []
  // A text that begins like the prefix is near to it as well.
  for (const index of holdsPart === null ? markedIn(near, bit) : texts.keys()) {
    const { start, end } = texts[index] as TextPlace
    if (end <= start) continue
    const edges = ((near[index] as number) & bit) === 0 ? noEdges : edgesOf(bytes, start, end, whole, edge)
    if (edges.some(([from, to]) => to - from >= least)) onPart(index)
    if (edges.length > 0) pieces.push({ index, edges })
    else if (hasMost(bytes, { start, end }, whole, holdsPart)) {
      most ??= [edge.between(0, whole.length)]
      pieces.push({ index, edges: most })
    }
  }
  if (pieces.length === 0) return []
  const all = [...edge.known(), ...underscoresOf(whole)]
  const forward = reached(all, 0, whole.length)
  if (forward[whole.length] !== 1) return []
  const backward = reached(
    all.map(([from, to]) => [to, from] as const),
    whole.length,
    whole.length,
  )
  const isGood = ([from, to]: Edge) => to - from >= least && forward[from] === 1 && backward[to] === 1
  return pieces.filter(({ edges }) => edges.some(isGood)).map(({ index }) => index)
}

function markedIn(marks: Uint8Array, bit: number): number[] {
  const marked: number[] = []
  for (let index = 0; index < marks.length; index++)
    if (((marks[index] as number) & bit) !== 0) marked.push(index)
  return marked
}

/** A prefix as texts may have it. */
export interface Form {
  readonly whole: Buffer
  readonly index: number
  /** Its mark in what is known of each text. */
  readonly bit: number
}

/** All forms of a prefix, with what is known of them before a text is. */
export interface Forms {
  readonly all: readonly Form[]
  /** For each two bytes the marks of the forms that have them side by side. */
  readonly pairs: Uint8Array
  /** As many characters of each in a row as make most of it. */
  readonly search: Search
}

export function formsFrom(written: readonly string[]): Forms {
  const all = written.map((one, index) => ({ whole: Buffer.from(one), index, bit: 1 << index }))
  const pairs = new Uint8Array(0x1_0000)
  for (const { whole, bit } of all)
    for (let at = 1; at < whole.length; at++) {
      const pair = ((whole[at - 1] ?? 0) << 8) | (whole[at] ?? 0)
      pairs[pair] = (pairs[pair] ?? 0) | bit
    }
  const parts = all.map(({ whole }) => {
    const length = Math.min(mostOfIt, whole.length)
    return Array.from({ length: whole.length - length + 1 }, (_, from) => whole.subarray(from, from + length))
  })
  return { all, pairs, search: searchFor(parts) }
}

/** Texts in a file, with what is known of them before each form is looked for. */
export interface Looked {
  readonly bytes: Buffer
  readonly texts: readonly TextPlace[]
  /** The marks of the forms that a text may have an edge of. */
  readonly near: Uint8Array
  /** Says for each form whether there is most of it in a text; `null` where it is in none. */
  readonly holds: readonly (Holds | null)[]
}

export function lookAt(bytes: Buffer, texts: readonly TextPlace[], { all, pairs, search }: Forms): Looked {
  const lasts = new Uint8Array(256)
  for (const { whole, bit } of all) {
    const last = whole.at(-1) ?? 0
    lasts[last] = (lasts[last] ?? 0) | bit
  }
  const pairAt = (at: number) => pairs[((bytes[at] as number) << 8) | (bytes[at + 1] as number)] as number
  const near = new Uint8Array(texts.length)
  // A text has an edge where its first two or its last two characters are side by side in a form.
  for (let index = 0; index < texts.length; index++) {
    const { start, end } = texts[index] as TextPlace
    near[index] =
      end - start < 2 ? 0xff : (lasts[bytes[start] as number] as number) | pairAt(start) | pairAt(end - 2)
  }
  return { bytes, texts, near, holds: lookIn(bytes, texts, search) }
}

/** Three of eight characters. */
const goodPart = 3 / 8

/** Between which characters of the prefix a text leads. */
type Edge = readonly [from: number, to: number]

const noEdges: readonly Edge[] = []

interface Edges {
  between(from: number, to: number): Edge
  known(): Iterable<Edge>
}

/** Gives one and the same edge for the same places: a hundred thousand texts may have it. */
function createEdges(size: number): Edges {
  const known = new Map<number, Edge>()
  return {
    between(from, to) {
      const place = from * (size + 1) + to
      const edge = known.get(place) ?? ([from, to] as const)
      known.set(place, edge)
      return edge
    },
    known: () => known.values(),
  }
}

function edgesOf(
  bytes: Buffer,
  start: number,
  end: number,
  whole: Buffer,
  { between }: Edges,
): readonly Edge[] {
  const length = end - start
  const { length: size } = whole
  let edges: Edge[] | null = null
  const add = (from: number, to: number) => {
    edges ??= []
    edges.push(between(from, to))
  }
  const last = bytes[end - 1]
  for (let to = Math.min(size, length); to >= 1; to--)
    if (last === whole[to - 1] && (to > 1 || length === 1) && isAt(bytes, end - to, whole, 0, to)) add(0, to)
  const first = bytes[start]
  for (let from = 1; from < size; from++) {
    if (first !== whole[from]) continue
    const rest = size - from
    if (length >= rest && isAt(bytes, start, whole, from, size)) add(from, size)
    if (length < rest && isAt(bytes, start, whole, from, from + length)) add(from, from + length)
  }
  return edges ?? noEdges
}

function isAt(bytes: Buffer, at: number, whole: Buffer, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (bytes[at + index - from] !== whole[index]) return false
  return true
}

const leastChanged = 9
const mostOfIt = 5
const beginning = 3

/** Says whether a text begins like the prefix, or has five characters of it in a row. */
function hasMost(bytes: Buffer, { start, end }: TextPlace, whole: Buffer, holdsPart: Holds | null): boolean {
  return (
    end - start >= leastChanged &&
    (isAt(bytes, start, whole, 0, Math.min(beginning, whole.length)) || holdsPart?.(start, end) === true)
  )
}

/** Says whether one of some words is between two places of a file. */
type Holds = (start: number, end: number) => boolean

export interface Search {
  readonly groups: readonly (readonly Buffer[])[]
  /** Marks two bytes that are side by side in a word; `null` where a word is too short to be looked for by them. */
  readonly isPair: Uint8Array | null
}

/** Looks for groups of words. Those of a group are equally long. */
export function searchFor(groups: readonly (readonly Buffer[])[]): Search {
  const words = groups.flat()
  if (words.some(({ length }) => length < leastPaired)) return { groups, isPair: null }
  const isPair = new Uint8Array(0x1_0000)
  for (const word of words)
    for (let at = 1; at < word.length; at++) isPair[((word[at - 1] ?? 0) << 8) | (word[at] ?? 0)] = 1
  return { groups, isPair }
}

/** A word of so many bytes has two pairs side by side that begin at even places, wherever it begins. */
const leastPaired = 5

/**
 * Looks for groups of words in texts. The file is searched once, from its first text to its last one: in most files code
 * comes before or after them. A group of which no word is there is `null`.
 */
export function lookIn(
  bytes: Buffer,
  texts: readonly TextPlace[],
  { groups, isPair }: Search,
): (Holds | null)[] {
  let [low, high] = [bytes.length, 0]
  for (const { start, end } of texts) {
    if (start < low) low = start
    if (end > high) high = end
  }
  const places = groups.map((words) => ({ words, rising: [] as number[], length: words[0]?.length ?? 0 }))
  if (isPair === null) {
    const searched = bytes.subarray(0, high)
    for (const { words, rising } of places) {
      for (const word of words)
        for (let at = searched.indexOf(word, low); at !== -1; at = searched.indexOf(word, at + 1))
          rising.push(at)
      rising.sort((a, b) => a - b)
    }
  } else {
    for (const at of paired(bytes, low, high, isPair))
      for (const { words, rising } of places)
        if (words.some((word) => isAt(bytes, at, word, 0, word.length))) rising.push(at)
  }
  return places.map(({ rising, length }) =>
    rising.length === 0
      ? null
      : (start, end) => (rising[firstFrom(rising, start)] ?? Number.POSITIVE_INFINITY) + length <= end,
  )
}

/** Places where a word may begin, by two pairs side by side that begin at even places. */
function paired(bytes: Buffer, low: number, high: number, isPair: Uint8Array): number[] {
  const places: number[] = []
  for (let at = low - (low % 2); at + 4 <= high; at += 2) {
    if (isPair[((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)] !== 1) continue
    if (isPair[((bytes[at] as number) << 8) | (bytes[at + 1] as number)] !== 1) continue
    if (at > low) places.push(at - 1)
    places.push(at)
  }
  return places
}

/** The index of the first of rising numbers that is not below another one. */
function firstFrom(rising: readonly number[], least: number): number {
  let low = 0
  for (let high = rising.length; low < high; ) {
    const middle = (low + high) >>> 1
    if ((rising[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}

const underscore = 0x5f

function underscoresOf(whole: Buffer): Edge[] {
  return [...whole.entries()].flatMap(([at, byte]) => (byte === underscore ? [[at, at + 1] as const] : []))
}

/** Marks where one gets by edges. */
function reached(edges: readonly Edge[], from: number, last: number): Uint8Array {
  const known = new Uint8Array(last + 1)
  known[from] = 1
  for (let isNew = true; isNew; ) {
    isNew = false
    for (const [one, other] of edges)
      if (known[one] === 1 && known[other] !== 1) {
        known[other] = 1
        isNew = true
      }
  }
  return known
}
