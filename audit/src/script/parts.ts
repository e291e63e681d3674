import type { Node } from './scope.ts'
import type { Bits, Seeds } from './seeds.ts'

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

export function createJoined(): Joined {
  const above: number[] = []
  const of = (one: number): number => {
    let at = one
    for (let next = above[at]; next !== undefined && next !== at; next = above[at]) {
      above[at] = above[next] ?? next
      at = above[at] as number
    }
    return at
  }
  return {
    of,
    join(one, other) {
      const [first, second] = [of(one), of(other)]
      if (first < second) above[second] = first
      else if (second < first) above[first] = second
    },
  }
}

/** An expression with the bits that reach it, and the part that it is in. */
export interface Reached {
  readonly node: Node
  readonly bits: Bits
  readonly part: number
}

export function createParts(reached: readonly Reached[], seeds: Seeds): Parts {
  const [worth, sure] = [new Set<number>(), new Set<number>()]
  for (const { node, bits, part } of reached)
    if (isComposing(node)) {
      if (seeds.mayBeKey(bits)) worth.add(part)
      if (seeds.isKey(bits)) sure.add(part)
    }
  const inside = reached.filter(({ part }) => worth.has(part))
  const partOf = new Map(inside.map(({ node, part }) => [node, part]))
  const starts = Float64Array.from(inside, ({ node }) => node.start).sort()
  return {
    count: worth.size,
    sure,
    partOf: (node) => partOf.get(node),
    isIn: ({ start, end }) => (starts[firstFrom(starts, start)] ?? Number.POSITIVE_INFINITY) < end,
  }
}

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
