import { createLibrary, isList, type Value } from './library.ts'
import { childOf, childrenOf, isNode, membersOf, type Node, nameOf, readNames } from './names.ts'

/** A text that a script puts together, and where. */
export interface FoldedText {
  readonly text: string
  readonly start: number
  /** One of several values was taken, because it holds the prefix. */
  readonly isGuess: boolean
}

export interface Folded {
  readonly texts: readonly FoldedText[]
  /** Scripts in strings that the script runs. */
  readonly scripts: readonly { readonly text: string; readonly start: number }[]
  readonly isWhole: boolean
}

const longestText = 64 * 1024
const longestList = 10_000
const mostSteps = 3_000_000
/** Characters, or elements of a list, that cost as much as a look at an expression. */
const sizeInStep = 16
/** Getters that return what another one does. */
const mostGetters = 8
/** Objects that are spread into each other. */
const mostSpreads = 8
/** Properties of one name, of which any may be meant. */
const mostMeant = 8

export interface Wanted {
  readonly prefix: string
  /** Says whether a text is worth being kept. */
  readonly isTelling: (text: string) => boolean
}

/** Folds the constant expressions of a script. */
export function fold(tree: Node, wanted: Wanted): Folded {
  try {
    return foldTree(tree, wanted)
  } catch (error) {
    // Expressions too deep for the stack.
    if (!(error instanceof RangeError)) throw error
    return { texts: [], scripts: [], isWhole: false }
  }
}

function foldTree(tree: Node, { prefix, isTelling }: Wanted): Folded {
  const texts: FoldedText[] = []
  const scripts: { text: string; start: number }[] = []
  const composed: Node[] = []
  const names = readNames(tree, (node) => {
    if (composing.test(node.type)) composed.push(node)
  })
  const known = new Map<Node, Value>()
  const guesses = new Set<Node>()
  let steps = 0
  let hasGuessed = false

  const isOver = (more: number): boolean => {
    steps += more
    return steps > mostSteps
  }

  const evaluate = (node: Node | null): Value => {
    if (node === null) return undefined
    if (node.type === 'Literal') return literalOf(node)
    if (known.has(node)) {
      hasGuessed ||= guesses.has(node)
      return known.get(node)
    }
    // A name that depends on itself has no value.
    known.set(node, undefined)
    if (isOver(1)) return undefined
    const before = hasGuessed
    hasGuessed = false
    const value = bounded(things.test(node.type) ? node : readers[node.type]?.(node))
    steps += sizeOf(value) / sizeInStep
    known.set(node, value)
    if (hasGuessed) guesses.add(node)
    hasGuessed ||= before
    return value
  }

  /** A getter of a module may return that of another one, and a function itself. */
  const textOf = (value: Value): string | undefined => {
    if (isOver(1)) return undefined
    let own = value
    for (let getters = 0; getters < mostGetters && isNode(own); getters++) own = returned(own)
    if (typeof own === 'number') return String(own)
    return isList(own) ? joined(own, ',') : isNode(own) ? undefined : own
  }

  const sumOf = (node: Node): Value => {
    // From the left: a minifier writes sums of thousands.
    const operands: (Node | null)[] = []
    let at: Node | null = node
    while (at?.type === 'BinaryExpression' && at['operator'] === '+' && !(known.has(at) && at !== node)) {
      operands.push(childOf(at, 'right'))
      at = childOf(at, 'left')
    }
    const values = [evaluate(at), ...operands.reverse().map(evaluate)]
    if (values.every((value) => typeof value === 'number'))
      return (values as number[]).reduce((sum, value) => sum + value, 0)
    return joined(values)
  }

  const joined = (values: readonly Value[], by = ''): string | undefined => {
    let text = ''
    for (const [index, value] of values.entries()) {
      const piece = textOf(value)
      if (piece === undefined || text.length + piece.length > longestText) return undefined
      text += index === 0 ? piece : by + piece
    }
    return text
  }

  const templateOf = (node: Node): Value => {
    const values = childrenOf(node, 'expressions').map(evaluate)
    const pieces = childrenOf(node, 'quasis').map((piece) => piece?.['value'] as { readonly cooked?: string })
    return joined(pieces.flatMap(({ cooked }, index) => [cooked, ...values.slice(index, index + 1)]))
  }

  const listOf = (node: Node, field: string): readonly Value[] | undefined => {
    const values: Value[] = []
    for (const element of childrenOf(node, field)) {
      const isSpread = element?.type === 'SpreadElement'
      const given = isSpread ? evaluate(childOf(element, 'argument')) : [evaluate(element)]
      if (!isList(given) && typeof given !== 'string') return undefined
      values.push(...given)
      if (values.length > longestList) return undefined
    }
    return values
  }

  /** Chooses, of several possible values, the one with the prefix or most of it. */
  const chosen = (values: readonly Value[]): Value =>
    values
      .filter((value) => value !== undefined)
      .map((value) => [value, rankOf(value, 0)] as const)
      .sort(([, one], [, other]) => other - one)[0]?.[0]

  const rankOf = (value: Value, depth: number): number => {
    if (typeof value === 'string') {
      if (value.includes(prefix)) return prefix.length
      return value.length > 1 && prefix.includes(value) ? value.length : 0
    }
    if (depth > 3 || value === undefined || typeof value === 'number' || isOver(1)) return 0
    const inside = isList(value) ? value : valuesOf(value)
    return inside.reduce((most: number, one) => Math.max(most, rankOf(one, depth + 1)), 0)
  }

  const valuesOf = (object: Node) =>
    membersOf(object).map(([name, value]) => (name === null ? undefined : evaluate(value)))

  const propertyOf = (object: Node, wanted: string, spreads = 0): Value => {
    const members = membersOf(object)
    if (isOver(1 + members.length / sizeInStep)) return undefined
    let found: Value
    for (const [name, value] of members) {
      if (name === wanted) found = evaluate(value)
      if (value?.type !== 'SpreadElement') continue
      const spread = evaluate(childOf(value, 'argument'))
      // An object may be spread into what takes its name: `o = { ...o }`.
      if (isNode(spread) && spreads < mostSpreads) found = propertyOf(spread, wanted, spreads + 1) ?? found
    }
    return found
  }

  const memberOf = (node: Node): Value => {
    const object = evaluate(childOf(node, 'object'))
    const key = childOf(node, 'property')
    const name = nameOf(key, node['computed']) ?? textOf(evaluate(key))
    if (isList(object) || typeof object === 'string') {
      if (name !== undefined) return object[Number(name)]
      return isList(object) ? chosen(object) : undefined
    }
    if (isNode(object)) {
      const own = name === undefined ? chosen(valuesOf(object)) : propertyOf(object, name)
      if (own !== undefined) return own
    }
    if (name === undefined) return undefined
    // Whatever object that is: where a property of this name has one value in the script, it is meant.
    const values = names.propertiesOf(name)
    if (values.length > mostMeant) return undefined
    if (values.length > 1) hasGuessed = true
    return chosen(values.map(evaluate))
  }

  const returned = (node: Node): Value => {
    const body = childOf(node, 'body')
    if (body === null || childrenOf(node, 'params').length > 0) return undefined
    if (body.type !== 'BlockStatement') return evaluate(body)
    const [only, ...more] = childrenOf(body, 'body').filter((one) => one?.type === 'ReturnStatement')
    return only == null || more.length > 0 ? undefined : evaluate(childOf(only, 'argument'))
  }

  const { call, method } = createLibrary({ textOf, joined })

  const callOf = (node: Node): Value => {
    const callee = childOf(node, 'callee')
    const given = listOf(node, 'arguments') ?? []
    const holder = childOf(callee, 'object')
    const name = nameOf(childOf(callee, 'property') ?? callee, callee?.['computed']) ?? ''
    const object = evaluate(holder)
    if (typeof object === 'string' || isList(object)) return method(object, name, given)
    const known = object === undefined && call(holder === null ? name : `${holder['name']}.${name}`, given)
    if (known) return known
    const called = evaluate(callee)
    return isNode(called) ? returned(called) : undefined
  }

  /** `new URL(path, base)` */
  const urlOf = (node: Node): Value => {
    const [path, base] = childrenOf(node, 'arguments').map((one) => textOf(evaluate(one)))
    if (childOf(node, 'callee')?.['name'] !== 'URL' || path === undefined) return undefined
    return URL.canParse(path, base) ? new URL(path, base).href : undefined
  }

  /** The text that `eval`, `Function` or a timer runs. */
  const addScript = (node: Node): void => {
    const name = childOf(node, 'callee')?.['name']
    const given = childrenOf(node, 'arguments')
    const code = name === 'eval' ? given[0] : name === 'Function' ? given.at(-1) : null
    const text = evaluate(code ?? null)
    if (typeof text === 'string' && code != null) scripts.push({ text, start: code.start })
  }

  const anyOf =
    (...fields: readonly string[]) =>
    (node: Node) =>
      chosen(fields.map((field) => evaluate(childOf(node, field))))
  const readers: Readonly<Record<string, (node: Node) => Value>> = {
    Identifier: (node) => evaluate(names.valueOf(node)),
    TemplateLiteral: templateOf,
    BinaryExpression: (node) => (node['operator'] === '+' ? sumOf(node) : undefined),
    ArrayExpression: (node) => listOf(node, 'elements'),
    ConditionalExpression: anyOf('consequent', 'alternate'),
    LogicalExpression: anyOf('left', 'right'),
    SequenceExpression: (node) => evaluate(childrenOf(node, 'expressions').at(-1) ?? null),
    AssignmentExpression: (node) => (node['operator'] === '=' ? evaluate(childOf(node, 'right')) : undefined),
    MemberExpression: memberOf,
    ChainExpression: anyOf('expression'),
    CallExpression: callOf,
    NewExpression: urlOf,
  }

  // From the outside in: what an expression puts together is no text by itself.
  let coveredUntil = 0
  for (const node of composed) {
    if (/^(?:Call|New)Expression$/.test(node.type)) addScript(node)
    if (node.start < coveredUntil) continue
    hasGuessed = false
    const text = evaluate(node)
    if (typeof text !== 'string' || !isTelling(text)) continue
    texts.push({ text, start: node.start, isGuess: hasGuessed })
    coveredUntil = node.end
  }
  return { texts, scripts, isWhole: steps <= mostSteps }
}

const things = /^(?:ObjectExpression|Class(?:Expression|Declaration)|.*Function.*)$/
const composing = /^(?:BinaryExpression|TemplateLiteral|CallExpression|NewExpression)$/

/** The value of a literal; a pattern is itself. */
function literalOf(node: Node): Value {
  const { value, regex } = node
  if (regex !== undefined) return node
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

function sizeOf(value: Value): number {
  return typeof value === 'string' || isList(value) ? value.length : 1
}

function bounded(value: Value): Value {
  return sizeOf(value) > (isList(value) ? longestList : longestText) ? undefined : value
}
