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
  bytes: Buffer,
  texts: readonly TextPlace[],
  form: Form,
  onPart: (index: number) => void = () => {},
): number[] {
  const { whole, isNear } = form
  const least = Math.ceil(whole.length * goodPart)
  const holdsMost = createLookForMost(bytes, texts, form)
  const edge = createEdges(whole.length)
  let most: readonly Edge[] | null = null
  const pieces: { readonly index: number; readonly edges: readonly Edge[] }[] = []
  for (let index = 0; index < texts.length; index++) {
    const { start, end } = texts[index] as TextPlace
    if (end <= start) continue
    const edges = isNear(bytes, start, end) ? edgesOf(bytes, start, end, whole, edge) : noEdges
    if (edges.some(([from, to]) => to - from >= least)) onPart(index)
    if (edges.length > 0) pieces.push({ index, edges })
    else if (holdsMost(start, end)) {
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

/** A prefix as texts may have it, with what is known of it before a text is. */
export interface Form {
  readonly whole: Buffer
  /** Says of most texts that they have no edge. */
  readonly isNear: (bytes: Buffer, start: number, end: number) => boolean
  /** As many characters of it in a row as make most of it. */
  readonly parts: readonly Buffer[]
}

export function formOf(prefix: string): Form {
  const whole = Buffer.from(prefix)
  const length = Math.min(mostOfIt, whole.length)
  const parts = Array.from({ length: whole.length - length + 1 }, (_, from) =>
    whole.subarray(from, from + length),
  )
  return { whole, isNear: createNearness(whole), parts }
}

/** Three of eight characters. */
const goodPart = 3 / 8

/** Between which characters of the prefix a text leads. */
type Edge = readonly [from: number, to: number]

const noEdges: readonly Edge[] = []

/** A text has an edge where its first two or its last two characters are side by side in the prefix. */
function createNearness(whole: Buffer): (bytes: Buffer, start: number, end: number) => boolean {
  const isPair = new Uint8Array(0x1_0000)
  for (let at = 1; at < whole.length; at++) isPair[((whole[at - 1] ?? 0) << 8) | (whole[at] ?? 0)] = 1
  const last = whole.at(-1)
  const pairAt = (bytes: Buffer, at: number) => ((bytes[at] as number) << 8) | (bytes[at + 1] as number)
  return (bytes, start, end) =>
    end - start < 2 ||
    bytes[start] === last ||
    isPair[pairAt(bytes, start)] === 1 ||
    isPair[pairAt(bytes, end - 2)] === 1
}

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

/** Looks for texts that begin like the prefix, or have five characters of it in a row. */
function createLookForMost(
  bytes: Buffer,
  texts: readonly TextPlace[],
  { whole, parts }: Form,
): (start: number, end: number) => boolean {
  const holds = lookIn(bytes, texts, parts)
  return (start, end) =>
    end - start >= leastChanged &&
    (isAt(bytes, start, whole, 0, Math.min(beginning, whole.length)) || holds(start, end))
}

/**
 * Looks for some words in texts. The file is searched once, from its first text to its last one: in most files code comes
 * before or after them.
 */
export function lookIn(
  bytes: Buffer,
  texts: readonly TextPlace[],
  words: readonly Buffer[],
): (start: number, end: number) => boolean {
  let [low, high] = [bytes.length, 0]
  for (const { start, end } of texts) {
    if (start < low) low = start
    if (end > high) high = end
  }
  const searched = bytes.subarray(0, high)
  const places = words.map((word) => {
    const rising: number[] = []
    for (let at = searched.indexOf(word, low); at !== -1; at = searched.indexOf(word, at + 1)) rising.push(at)
    return { rising, length: word.length }
  })
  return (start, end) =>
    places.some(
      ({ rising, length }) => (rising[firstFrom(rising, start)] ?? Number.POSITIVE_INFINITY) + length <= end,
    )
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
