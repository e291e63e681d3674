import { childOf, childrenOf, isNode, type Names, type Node, nameOf, readNames } from './names.ts'

/** A value of a constant expression; `undefined` where only the running script knows it. */
type Value = string | number | readonly Value[] | Thing | undefined

/** An object, a function or a class of the script, read when it is asked for a member. */
interface Thing {
  readonly node: Node
}

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
  const known = new Map<Node, Value>()
  const guesses = new Set<Node>()
  let names: Names | null = null
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
    const value = bounded(read(node))
    steps += sizeOf(value) / sizeInStep
    known.set(node, value)
    if (hasGuessed) guesses.add(node)
    hasGuessed ||= before
    return value
  }

  const read = (node: Node): Value => {
    switch (node.type) {
      case 'Identifier':
        return evaluate(names?.valueOf(node) ?? null)
      case 'TemplateLiteral':
        return templateOf(node)
      case 'BinaryExpression':
        return node['operator'] === '+' ? sumOf(node) : undefined
      case 'ArrayExpression':
        return listOf(node, 'elements')
      case 'ConditionalExpression':
        return chosen([childOf(node, 'consequent'), childOf(node, 'alternate')].map(evaluate))
      case 'LogicalExpression':
        return chosen([evaluate(childOf(node, 'left')), evaluate(childOf(node, 'right'))])
      case 'SequenceExpression':
        return evaluate(childrenOf(node, 'expressions').at(-1) ?? null)
      case 'AssignmentExpression':
        return node['operator'] === '=' ? evaluate(childOf(node, 'right')) : undefined
      case 'MemberExpression':
        return memberOf(node)
      case 'ParenthesizedExpression':
      case 'ChainExpression':
      case 'AwaitExpression':
        return evaluate(childOf(node, 'expression') ?? childOf(node, 'argument'))
      case 'CallExpression':
        return callOf(node)
      case 'NewExpression':
        return urlOf(node)
      case 'ObjectExpression':
        return { node }
      default:
        return /Function|^Class/.test(node.type) ? { node } : undefined
    }
  }

  /** A getter of a module may return that of another one, and a function itself. */
  const textOf = (value: Value, getters = 0): string | undefined => {
    if (isOver(1)) return undefined
    if (typeof value === 'string') return value
    if (typeof value === 'number') return String(value)
    if (value === undefined) return undefined
    if ('node' in value) return getters === mostGetters ? undefined : textOf(returned(value), getters + 1)
    const pieces = value.map((one) => textOf(one))
    return pieces.includes(undefined) ? undefined : pieces.join()
  }

  const sumOf = (node: Node): Value => {
    // From the left: a minifier writes sums of thousands.
    const operands: Node[] = []
    let at: Node | null = node
    while (at?.type === 'BinaryExpression' && at['operator'] === '+' && !(known.has(at) && at !== node)) {
      const right = childOf(at, 'right')
      if (right !== null) operands.push(right)
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
    const pieces = childrenOf(node, 'quasis').map((piece) => {
      const { cooked } = (piece?.['value'] ?? {}) as { readonly cooked?: string }
      return cooked
    })
    const values = childrenOf(node, 'expressions').map(evaluate)
    return joined(
      pieces.flatMap((piece, index): Value[] => (index < values.length ? [piece, values[index]] : [piece])),
    )
  }

  const listOf = (node: Node, field: string): readonly Value[] | undefined => {
    const values: Value[] = []
    for (const element of childrenOf(node, field)) {
      if (element?.type !== 'SpreadElement') values.push(evaluate(element))
      else {
        const spread = evaluate(childOf(element, 'argument'))
        if (typeof spread === 'string') values.push(...spread)
        else if (isList(spread)) values.push(...spread)
        else return undefined
      }
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

  const valuesOf = ({ node }: Thing): Value[] =>
    childrenOf(node, 'properties').flatMap((property) =>
      property?.type === 'Property' ? [evaluate(childOf(property, 'value'))] : [],
    )

  const propertyOf = ({ node }: Thing, name: string, spreads = 0): Value => {
    const body = childOf(node, 'body')
    const own = [...childrenOf(node, 'properties'), ...(body === null ? [] : childrenOf(body, 'body'))]
    if (isOver(1 + own.length / sizeInStep)) return undefined
    let found: Value
    for (const property of own) {
      if (property === null) continue
      if (property.type === 'SpreadElement') {
        const spread = evaluate(childOf(property, 'argument'))
        // An object may be spread into what takes its name: `o = { ...o }`.
        if (isThing(spread) && spreads < mostSpreads) found = propertyOf(spread, name, spreads + 1) ?? found
      } else if (nameOf(childOf(property, 'key'), property['computed']) === name)
        found = evaluate(childOf(property, 'value'))
    }
    return found
  }

  const memberOf = (node: Node): Value => {
    const object = evaluate(childOf(node, 'object'))
    const key = childOf(node, 'property')
    const name = nameOf(key, node['computed']) ?? textOf(evaluate(key))
    if (isList(object) || typeof object === 'string') {
      if (name === 'length') return object.length
      if (name !== undefined) return object[Number(name)]
      return isList(object) ? chosen(object) : undefined
    }
    if (isThing(object)) {
      const own = name === undefined ? chosen(valuesOf(object)) : propertyOf(object, name)
      if (own !== undefined) return own
    }
    if (name === undefined) return undefined
    // Whatever object that is: where a property of this name has one value in the script, it is meant.
    const values = names?.propertiesOf(name) ?? []
    if (values.length > mostMeant) return undefined
    if (values.length > 1) hasGuessed = true
    return chosen(values.map(evaluate))
  }

  const returned = ({ node }: Thing): Value => {
    const body = childOf(node, 'body')
    if (body === null || childrenOf(node, 'params').length > 0) return undefined
    if (body.type !== 'BlockStatement') return evaluate(body)
    const [only, ...more] = childrenOf(body, 'body').filter((one) => one?.type === 'ReturnStatement')
    return only == null || more.length > 0 ? undefined : evaluate(childOf(only, 'argument'))
  }

  const callOf = (node: Node): Value => {
    const callee = childOf(node, 'callee')
    const given = listOf(node, 'arguments') ?? []
    if (callee?.type === 'Identifier') {
      const known = globalCall(String(callee['name']), given)
      if (known !== undefined) return known
    }
    if (callee?.type !== 'MemberExpression') {
      const called = evaluate(callee)
      return isThing(called) ? returned(called) : undefined
    }
    const name = nameOf(childOf(callee, 'property'), callee['computed'])
    const holder = childOf(callee, 'object')
    const object = evaluate(holder)
    if (holder?.type === 'Identifier' && object === undefined) {
      const known = staticCall(`${String(holder['name'])}.${name}`, given)
      if (known !== undefined) return known
    }
    if (name !== null && (typeof object === 'string' || isList(object))) {
      const [pattern] = childrenOf(node, 'arguments')
      return methodOf(object, name, given, pattern?.type === 'Literal' ? pattern['regex'] : undefined)
    }
    const called = evaluate(callee)
    return isThing(called) ? returned(called) : undefined
  }

  const methodOf = (
    object: string | readonly Value[],
    name: string,
    given: readonly Value[],
    regex: unknown,
  ): Value => {
    const [first, second] = given
    if (isList(object)) {
      if (name === 'join') return joined(object, first === undefined ? ',' : (textOf(first) ?? ','))
      if (name === 'reverse') return object.toReversed()
      if (name === 'slice') return object.slice(numberOf(first), numberOf(second))
      if (name === 'concat')
        return [...object, ...given.flatMap((one): readonly Value[] => (isList(one) ? one : [one]))]
      if (name === 'at') return object.at(numberOf(first) ?? 0)
      return name === 'flat' && object.reduce((sum: number, one) => sum + sizeOf(one), 0) <= longestList
        ? object.flat()
        : undefined
    }
    if (name === 'concat') return joined([object, ...given])
    if (name === 'split')
      return typeof first === 'string' ? object.split(first).slice(0, longestList) : undefined
    if (name === 'slice') return object.slice(numberOf(first), numberOf(second))
    if (name === 'substring') return object.substring(numberOf(first) ?? 0, numberOf(second))
    if (name === 'substr') return object.substr(numberOf(first) ?? 0, numberOf(second))
    if (name === 'charAt' || name === 'at') return object.at(numberOf(first) ?? 0)
    if (name === 'trim' || name === 'toLowerCase' || name === 'toUpperCase') return object[name]()
    if (name === 'toString') return object
    if (name === 'replace' || name === 'replaceAll') {
      const by = textOf(second)
      if (by === undefined) return undefined
      const { pattern, flags } = (regex ?? {}) as { pattern?: string; flags?: string }
      if (pattern !== undefined)
        return simple.test(pattern) ? object.replace(new RegExp(pattern, flags), by) : undefined
      return typeof first === 'string' ? object[name](first, () => by) : undefined
    }
    return undefined
  }

  const globalCall = (name: string, given: readonly Value[]): Value => {
    const [first] = given
    if (name === 'String') return textOf(first)
    if (typeof first !== 'string') return undefined
    if (name === 'atob') return Buffer.from(first, 'base64').toString('latin1')
    if (name === 'decodeURIComponent' || name === 'unescape') return unescaped(first)
    return undefined
  }

  const staticCall = (path: string, given: readonly Value[]): Value => {
    const [first, second] = given
    if (path === 'Object.freeze') return first
    if (path === 'String.fromCharCode' || path === 'String.fromCodePoint') {
      const codes = given.map(Number)
      return codes.every((code) => code >= 0 && code < 0x11_0000) ? String.fromCodePoint(...codes) : undefined
    }
    if (/^(?:window|self|globalThis)\./.test(path)) return globalCall(path.replace(/^\w+\./, ''), given)
    if (path !== 'Buffer.from') return undefined
    if (isList(first)) return Buffer.from(first.map(Number)).toString('latin1')
    const encoding = second ?? 'utf8'
    return typeof first === 'string' &&
      (encoding === 'base64' || encoding === 'base64url' || encoding === 'hex' || encoding === 'utf8')
      ? Buffer.from(first, encoding).toString('latin1')
      : undefined
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

  names = readNames(tree, (node) => {
    if (composing.test(node.type)) composed.push(node)
  })
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

const composing = /^(?:BinaryExpression|TemplateLiteral|CallExpression|NewExpression)$/

function literalOf({ value }: Node): Value {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

function isThing(value: Value): value is Thing {
  return typeof value === 'object' && !Array.isArray(value) && isNode((value as Thing).node)
}

/** A character or a class, or a run of them: what else a pattern may be may take for ever. */
const simple = /^(?:\\?[^\\()*+?{}|[\]]|\\[^\d]|\[(?:[^\]\\]|\\.)+\])\+?$/

function sizeOf(value: Value): number {
  return typeof value === 'string' || isList(value) ? value.length : 1
}

function bounded(value: Value): Value {
  return (typeof value === 'string' && value.length > longestText) ||
    (isList(value) && value.length > longestList)
    ? undefined
    : value
}

function numberOf(value: Value): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
