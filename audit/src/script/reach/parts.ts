import type { Node } from '../parse/scope.ts'
import type { Bits, Seeds } from './seeds.ts'

/** Marks a function or a class with a piece of a key in it. */
export const touched: Bits = 1 << 30

/** Parts of a script in which pieces of a key or a token come together. */
export interface Parts {
  /** How many there are that may make one. */
  readonly count: number
  /** Those whose pieces spell the prefix, in whatever order. */
  readonly sure: ReadonlySet<number>
  /** Gives the part that an expression belongs to; `undefined` where it holds no piece. */
  partOf(node: Node): number | undefined
  /** Says whether an expression of one of the parts is within a node. */
  isIn(node: Node): boolean
}

/** Sets of numbers, of which each is in one. */
export interface Joined {
  join(one: number, other: number): void
  /** Gives the number that stands for a set. */
  of(one: number): number
}

/** @param count how many numbers there are, from 0 on */
export function createJoined(count: number): Joined {
  /** One more than a smaller number of the same set; 0 for the smallest. */
  const above = new Uint32Array(count)
  const of = (one: number): number => {
    let at = one
    for (let next = above[at]; next; next = above[at]) {
      const after = above[next - 1]
      if (after) above[at] = after
      at = next - 1
    }
    return at
  }
  return {
    of,
    join(one, other) {
      const [first, second] = [of(one), of(other)]
      if (first < second) above[second] = first + 1
      else if (second < first) above[first] = second + 1
    },
  }
}

/** Expressions of a script by their indexes, the bits that reach them, and the parts that they are in. */
export interface Reached {
  readonly nodes: readonly Node[]
  /** The indexes of those that a piece reaches. */
  readonly indexes: ReadonlyMap<Node, number>
  /** 0 for a node that no piece reaches. */
  readonly bits: ArrayLike<Bits>
  readonly joined: Joined
  /** Contributions of literals, in the order of their places. */
  readonly pieces: readonly Piece[]
}

/** Contribution of a literal, and its place. */
export interface Piece {
  /** Index of its node. */
  readonly at: number
  readonly start: number
  readonly bits: Bits
}

/** Pieces this near to each other may come together in a way that was not followed. */
const nearest = 2_000

export function createParts({ nodes, indexes, bits, joined, pieces }: Reached, seeds: Seeds): Parts {
  const [worth, sure] = [new Set<number>(), new Set<number>()]
  const sorted = pieces.toSorted((a, b) => a.start - b.start)
  const told = new Map<number, Bits>()
  for (const [index, { at, bits }] of sorted.entries())
    if (isTelling(sorted, index)) told.set(joined.of(at), (told.get(joined.of(at)) ?? 0) | bits)
  for (const at of indexes.values()) {
    const own = bits[at] ?? 0
    if (own === 0 || !isComposing(nodes[at] as Node)) continue
    const part = joined.of(at)
    // A call of what holds all pieces need not show them: they may be in objects that it is given.
    const isSpelledHere = () => (own & touched) !== 0 && seeds.isKey(told.get(part) ?? 0)
    if (seeds.mayBeKey(own) || isSpelledHere()) worth.add(part)
    if (seeds.isKey(own) && seeds.isKey(told.get(part) ?? 0)) sure.add(part)
  }
  const near = nearPieces(sorted, seeds)
  const nearParts = new Set([...near.values()].map((at) => joined.of(at)))
  // A call or a sum may show none of the near pieces that a class or a function makes it of: `new Config().key`.
  const isMadeNear = (at: number, part: number) =>
    ((bits[at] ?? 0) & touched) !== 0 && nearParts.has(part) && isComposing(nodes[at] as Node)
  const starts = new Float64Array((worth.size + near.size > 0 ? indexes.size : 0) + near.size)
  let count = 0
  for (const start of near.keys()) starts[count++] = start
  if (worth.size + near.size > 0)
    for (const [{ start }, at] of indexes) {
      const part = joined.of(at)
      if (worth.has(part) || isMadeNear(at, part)) starts[count++] = start
    }
  starts.fill(Number.POSITIVE_INFINITY, count).sort()
  const partOf = (node: Node) => {
    const at = indexes.get(node)
    const part = at === undefined ? undefined : joined.of(at)
    return part !== undefined && worth.has(part) ? part : undefined
  }
  return {
    count: worth.size + near.size,
    sure,
    partOf,
    isIn: ({ start, end }) => (starts[firstFrom(starts, start)] ?? Number.POSITIVE_INFINITY) < end,
  }
}

/** A word of two letters that stands further from all others is one of countless such words. */
const besides = 60

/** Says whether a piece is long, or beside another one. */
function isTelling(sorted: readonly Piece[], index: number): boolean {
  const { start, bits } = sorted[index] as Piece
  const isBeside = (other: Piece | undefined) =>
    other !== undefined && Math.abs(other.start - start) < besides
  return isLarge(bits) || isBeside(sorted[index - 1]) || isBeside(sorted[index + 1])
}

/** Says whether a piece is of three characters or more. */
export function isLarge(bits: Bits): boolean {
  let left = bits
  for (let count = 0; count < 2; count++) left &= left - 1
  return left !== 0
}

/** Finds pieces that may be a key together, for all that is near each other. @returns their indexes, by their places */
function nearPieces(sorted: readonly Piece[], seeds: Seeds): Map<number, number> {
  const near = new Map<number, number>()
  let known = 0
  for (const [first, { start }] of sorted.entries()) {
    let bits = 0
    let end = first
    for (; end < sorted.length; end++) {
      const piece = sorted[end] as Piece
      if (piece.start - start > nearest || end - first > mostNear) break
      bits |= piece.bits
    }
    if (!seeds.mayBeKey(bits)) continue
    for (const piece of sorted.slice(Math.max(first, known), end)) near.set(piece.start, piece.at)
    known = end
  }
  return near
}

/** Pieces that are looked at together. */
const mostNear = 200

/** The index of the first of rising numbers that is as large as another one. */
function firstFrom(numbers: Float64Array, least: number): number {
  let low = 0
  for (let high = numbers.length; low < high; ) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] as number) >= least) high = middle
    else low = middle + 1
  }
  return low
}

/** Says whether a node may put its pieces together. */
function isComposing({ type, operator }: Node): boolean {
  if (type === 'BinaryExpression') return operator === '+'
  if (type === 'AssignmentExpression') return operator === '+='
  return /^(?:TemplateLiteral|TaggedTemplateExpression|CallExpression|NewExpression)$/.test(type)
}
