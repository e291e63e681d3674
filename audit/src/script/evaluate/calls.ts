import { type Effort, giveUp, pay } from '../../model/effort.ts'
import { type Node, nodeAt, nodesAt } from '../parse/scope.ts'
import { type Evaluator, memberOf, type Place, spreadItems } from './evaluator.ts'
import { type Call, clientOf, followCall } from './follow.ts'
import { valuesInJson } from './json-size.ts'
import { listCall } from './list-calls.ts'
import { boundTo } from './objects.ts'
import { stringCall } from './string-calls.ts'
import {
  type Constant,
  type Fields,
  inOrder,
  isCallable,
  isFields,
  isList,
  lengthOf,
  makeList,
  makeText,
  textOf,
} from './value.ts'

/** The result of a call of one of the functions that put strings together, or of a function of the script. */
export function evaluateCall(node: Node, place: Place, evaluator: Evaluator): Constant {
  const callee = nodeAt(node, 'callee')
  if (callee === undefined) return undefined
  const args = spreadItems(nodesAt(node, 'arguments'), place, evaluator)
  const call = callOf(node, callee, args, place, evaluator)
  if (call === null) return undefined
  if (evaluator.following === null) return plainCall(call, evaluator)
  const followed = followCall(call, evaluator)
  return followed === null ? clientOf(call, plainCall(call, evaluator), evaluator) : followed.value
}

/** Reads the function that is called and its owner; the expression left of a method is evaluated once. */
function callOf(
  node: Node,
  callee: Node,
  args: readonly Constant[],
  place: Place,
  evaluator: Evaluator,
): Call | null {
  if (callee.type !== 'MemberExpression')
    return {
      ...{ node, callee, args, place, method: null, owner: undefined },
      target: () => evaluator.evaluate(callee, place),
    }
  const property = nodeAt(callee, 'property')
  const method = callee['computed'] === true ? evaluator.evaluate(property, place) : property?.['name']
  const object = nodeAt(callee, 'object')
  if (typeof method !== 'string' || object === undefined) return null
  const decoded = method === 'decode' && object.type === 'NewExpression'
  const owner = decoded ? args[0] : evaluator.evaluate(object, place)
  return {
    node,
    callee,
    args,
    place,
    method,
    owner,
    target: () => boundTo(owner, memberOf(owner, method, evaluator)),
  }
}

function plainCall({ node, callee, args, method, owner, target }: Call, evaluator: Evaluator): Constant {
  if (callee.type === 'Identifier')
    return globalCall(String(callee['name']), args, evaluator.effort) ?? evaluator.call(target(), args)
  const object = nodeAt(callee, 'object')
  if (method === null || object === undefined) return evaluator.call(target(), args)
  const known =
    staticCall(`${pathOf(object)}.${method}`, args, evaluator) ??
    borrowed(object, method, owner, args, evaluator) ??
    mappedByName(node, method, owner, evaluator)
  return known ?? methodCall(owner, method, args, evaluator) ?? evaluator.call(target(), args)
}

/** `[].join.call(list, '')`: a method of every list or text, called on another one. */
function borrowed(
  object: Node,
  method: string,
  owner: Constant,
  [value, ...args]: readonly Constant[],
  evaluator: Evaluator,
): Constant {
  if ((method !== 'call' && method !== 'apply') || owner !== undefined || object.type !== 'MemberExpression')
    return undefined
  const name = nodeAt(object, 'property')?.['name']
  if (typeof name !== 'string' || object['computed'] === true) return undefined
  const given = method === 'call' ? args : isList(args[0]) ? args[0] : []
  return isList(value) || typeof value === 'string' ? methodCall(value, name, given, evaluator) : undefined
}

/** `list.map(String.fromCharCode)`: each item alone, as these functions take it. */
function mappedByName(node: Node, method: string, owner: Constant, evaluator: Evaluator): Constant {
  if (method !== 'map' || !isList(owner)) return undefined
  const given = nodesAt(node, 'arguments')[0] ?? undefined
  const path = given === undefined ? '' : pathOf(given)
  if (!/^(?:Number|String|atob|unescape|decodeURIComponent|String\.from(?:CharCode|CodePoint))$/.test(path))
    return undefined
  makeList(owner.length, evaluator.effort)
  return owner.map((item) => staticCall(path, [item], evaluator))
}

/** `String.fromCharCode` for the nodes that spell it. */
function pathOf(node: Node): string {
  if (node.type === 'Identifier') return String(node['name'])
  const owner = nodeAt(node, 'object')
  const name = nodeAt(node, 'property')
  if (node.type !== 'MemberExpression' || owner?.type !== 'Identifier') return ''
  return `${String(owner['name'])}.${String(name?.['name'] ?? name?.['value'] ?? '')}`
}

function globalCall(name: string, args: readonly Constant[], effort: Effort): Constant {
  const [first, second] = args
  if (name === 'String') return textOf(first, effort)
  if (/^(?:Uint8Array|Uint8ClampedArray|Uint16Array|Array)$/.test(name))
    return isList(first) || first instanceof Uint8Array ? first : args.length > 1 ? args : undefined
  if (name === 'Map') return isList(first) ? mapOf(first, effort) : undefined
  if (name === 'URL' && typeof first === 'string') return addressOf(first, second, effort)
  if (name === 'parseInt' && typeof first === 'string')
    return Number.parseInt(first.slice(0, longestNumber), typeof second === 'number' ? second : undefined)
  if (name === 'Number' && typeof first === 'string') return Number(first.slice(0, longestNumber))
  return typeof first === 'string' ? decoders.get(name)?.(first, effort) : undefined
}

/** Digits of a number that say how large it is. */
const longestNumber = 1024

/** Functions of every script that make one text of another. */
const decoders = new Map<string, (text: string, effort: Effort) => string>(
  Object.entries({
    atob(text: string, effort: Effort) {
      makeText(text.length, effort)
      return Buffer.from(text, 'base64').toString('latin1')
    },
    btoa(text: string, effort: Effort) {
      makeText(text.length * 2, effort)
      return Buffer.from(text, 'latin1').toString('base64')
    },
    decodeURIComponent: withoutPercent,
    decodeURI: withoutPercent,
    unescape: withoutPercent,
  }),
)

function withoutPercent(text: string, effort: Effort): string {
  // Each escape is replaced by a call of its own.
  pay(effort, text.length * 4, text.length * 2)
  return text.replace(/%(?:u([0-9a-f]{4})|([0-9a-f]{2}))/gi, (_, wide?: string, hex?: string) =>
    String.fromCharCode(Number.parseInt(wide ?? hex ?? '', 16)),
  )
}

const longestAddress = 4096

function addressOf(text: string, base: Constant, effort: Effort): string {
  if (typeof base !== 'string') return text
  if (text.length + base.length > longestAddress) giveUp(effort)
  return URL.canParse(text, base) ? new URL(text, base).href : text
}

function mapOf(pairs: readonly Constant[], effort: Effort): Fields {
  makeFields(pairs.length, effort)
  const fields = new Map<string, Constant>()
  for (const pair of pairs) {
    const key = isList(pair) ? textOf(pair[0], effort) : undefined
    if (isList(pair) && key !== undefined) fields.set(key, pair[1])
  }
  return { fields }
}

/** Counts an object before it is made. */
function makeFields(count: number, effort: Effort): void {
  pay(effort, 4 * count, 64 * count)
}

function staticCall(path: string, args: readonly Constant[], evaluator: Evaluator): Constant {
  const name = path.replace(/^(?:window|globalThis|self|global)\./, '')
  if (!name.includes('.')) return globalCall(name, args, evaluator.effort)
  return statics[name]?.(args, evaluator)
}

type Static = (args: readonly Constant[], evaluator: Evaluator) => Constant

const charsOf: Static = (args, { effort }) => {
  pay(effort, args.length * 4)
  makeText(args.length * 8, effort)
  const codes = args.map((arg) =>
    typeof arg === 'string' || typeof arg === 'number' ? Number(arg) : Number.NaN,
  )
  return codes.every((code) => Number.isInteger(code) && code >= 0 && code <= 0x10_ffff)
    ? codes.map((code) => String.fromCodePoint(code)).join('')
    : undefined
}

const charsOfList: Static = ([, list], evaluator) =>
  isList(list) || list instanceof Uint8Array ? charsOf(itemsOf(list, evaluator.effort), evaluator) : undefined

function itemsOf(value: string | Uint8Array | readonly Constant[], effort: Effort): Constant[] {
  makeList(value.length, effort)
  return [...value]
}

const listFrom: Static = ([first, second], evaluator) => {
  if (typeof first !== 'string' && !isList(first) && !(first instanceof Uint8Array)) return undefined
  const items = itemsOf(first, evaluator.effort)
  return second === undefined ? items : listCall(items, 'map', [second], evaluator)
}

const bytesFrom: Static = ([first, second = 'utf8'], { effort }) => {
  makeText(lengthOf(first) * 2, effort)
  if (typeof first !== 'string') return bytesOf(first)
  return isEncoding(second) ? new Uint8Array(Buffer.from(first, second as BufferEncoding)) : undefined
}

const itself: Static = ([first]) => first

/** Made of an object's fields, each by a function. */
const ofFields =
  (item: (field: readonly [string, Constant]) => Constant): Static =>
  ([first], { effort }) => {
    if (!isFields(first)) return undefined
    makeList(first.fields.size * 4, effort)
    return inOrder([...first.fields], ([name]) => name).map(item)
  }

const statics: Readonly<Record<string, Static>> = {
  'String.fromCharCode': charsOf,
  'String.fromCodePoint': charsOf,
  'String.fromCharCode.apply': charsOfList,
  'String.fromCodePoint.apply': charsOfList,
  'Buffer.from': bytesFrom,
  'Uint8Array.of': (args) => args,
  'Array.of': (args) => args,
  'Array.from': listFrom,
  'Uint8Array.from': listFrom,
  'Object.freeze': itself,
  'Object.seal': itself,
  'Object.defineProperty': itself,
  'Promise.resolve': itself,
  'Object.assign': (args, { effort }) => {
    const fields = new Map<string, Constant>()
    for (const arg of args) {
      if (!isFields(arg)) continue
      makeFields(arg.fields.size, effort)
      for (const [key, value] of arg.fields) fields.set(key, value)
    }
    return { fields }
  },
  'Object.values': ofFields(([, value]) => value),
  'Object.keys': ofFields(([key]) => key),
  'Object.entries': ofFields((field) => field),
  'JSON.parse': ([first], { effort }) => (typeof first === 'string' ? parsed(first, effort) : undefined),
}

function isEncoding(name: Constant): boolean {
  return typeof name === 'string' && Buffer.isEncoding(name)
}

function bytesOf(value: Constant): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value
  return isList(value) && value.every((item) => typeof item === 'number') ? Uint8Array.from(value) : undefined
}

function parsed(text: string, effort: Effort): Constant {
  pay(effort, text.length)
  const values = valuesInJson(text)
  pay(effort, 4 * values, 2 * text.length + 128 * values)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return constant(value, 0, effort)
}

const deepest = 100

function constant(value: unknown, depth: number, effort: Effort): Constant {
  if (depth > deepest) giveUp(effort)
  if (Array.isArray(value)) return value.map((item: unknown) => constant(item, depth + 1, effort))
  if (typeof value === 'object' && value !== null)
    return {
      fields: new Map(Object.entries(value).map(([key, item]) => [key, constant(item, depth + 1, effort)])),
    }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

function methodCall(
  value: Constant,
  method: string,
  args: readonly Constant[],
  evaluator: Evaluator,
): Constant {
  const { effort } = evaluator
  if (value instanceof Uint8Array) {
    const encoding = args[0] ?? 'utf8'
    if (method === 'toString' || method === 'decode') {
      makeText(value.length * 2, effort)
      return isEncoding(encoding) ? Buffer.from(value).toString(encoding as BufferEncoding) : undefined
    }
    return listCall(itemsOf(value, effort), method, args, evaluator)
  }
  if (isList(value)) {
    if (method === 'decode') {
      makeList(value.length, effort)
      const bytes = bytesOf(value)
      return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8')
    }
    return listCall(value, method, args, evaluator)
  }
  if (isFields(value) && method === 'get') {
    const key = textOf(args[0], effort)
    return key === undefined ? undefined : value.fields.get(key)
  }
  if (isCallable(value)) {
    if (method === 'call') return evaluator.call(value, args.slice(1))
    if (method === 'apply') return evaluator.call(value, isList(args[1]) ? args[1] : [])
    return undefined
  }
  if (typeof value === 'number') {
    const [radix = 10] = args
    const isRadix = typeof radix === 'number' && radix >= 2 && radix <= 36
    return method === 'toString' && isRadix ? value.toString(radix) : undefined
  }
  return typeof value === 'string' ? stringCall(value, method, args, effort) : undefined
}
