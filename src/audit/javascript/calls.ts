import type { Constant, Evaluate } from './fold.ts'
import { type Node, nodeAt, nodesAt } from './scope.ts'

type EvaluateBound = (name: string, value: Constant, body: Node) => Constant

/** The result of a call of one of the functions that put strings together; `undefined` for every other. */
export function callResult(node: Node, evaluate: Evaluate, evaluateBound: EvaluateBound): Constant {
  const callee = nodeAt(node, 'callee')
  if (callee === undefined) return undefined
  const args = argumentsOf(node, evaluate)
  if (callee.type === 'Identifier') return globalCall(String(callee['name']), args)
  if (callee.type !== 'MemberExpression') return undefined
  const property = nodeAt(callee, 'property')
  const method = callee['computed'] === true ? evaluate(property) : property?.['name']
  const object = nodeAt(callee, 'object')
  if (typeof method !== 'string' || object === undefined) return undefined
  if (object.type === 'Identifier') {
    const known = staticCall(`${String(object['name'])}.${method}`, args)
    if (known !== undefined) return known
    if (/^(?:window|globalThis|self|global)$/.test(String(object['name']))) return globalCall(method, args)
  }
  const value = method === 'decode' && object.type === 'NewExpression' ? args[0] : evaluate(object)
  if (method === 'map' && Array.isArray(value)) return mapped(value, node, evaluateBound, evaluate)
  return methodCall(value, method, args)
}

function argumentsOf(node: Node, evaluate: Evaluate): Constant[] {
  return nodesAt(node, 'arguments').flatMap((argument): readonly Constant[] => {
    if (argument?.type !== 'SpreadElement') return [evaluate(argument)]
    const spread = evaluate(nodeAt(argument, 'argument'))
    return Array.isArray(spread) || spread instanceof Uint8Array ? [...spread] : [undefined]
  })
}

function globalCall(name: string, args: readonly Constant[]): Constant {
  const [first] = args
  if (name === 'String' && (typeof first === 'string' || typeof first === 'number')) return String(first)
  if (/^(?:Uint8Array|Uint16Array|Array)$/.test(name)) return Array.isArray(first) ? first : undefined
  if (typeof first !== 'string') return undefined
  if (name === 'atob') return Buffer.from(first, 'base64').toString('latin1')
  if (name === 'btoa') return Buffer.from(first, 'latin1').toString('base64')
  if (/^(?:decodeURIComponent|decodeURI|unescape)$/.test(name))
    return first.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  return undefined
}

function staticCall(name: string, args: readonly Constant[]): Constant {
  const [first, second] = args
  if (name === 'String.fromCharCode' || name === 'String.fromCodePoint') {
    const codes = args.map(Number)
    return codes.every((code) => Number.isInteger(code) && code >= 0 && code <= 0x10_ffff)
      ? codes.map((code) => String.fromCodePoint(code)).join('')
      : undefined
  }
  if (name === 'String.fromCharCode.apply')
    return Array.isArray(second) ? staticCall('String.fromCharCode', second) : undefined
  if (name === 'Buffer.from') {
    if (typeof first === 'string' && isEncoding(second ?? 'utf8'))
      return new Uint8Array(Buffer.from(first, (second ?? 'utf8') as BufferEncoding))
    return bytesOf(first)
  }
  if (name === 'Array.from') return typeof first === 'string' ? [...first] : first
  return undefined
}

function isEncoding(name: Constant): boolean {
  return typeof name === 'string' && Buffer.isEncoding(name)
}

function bytesOf(value: Constant): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value
  return Array.isArray(value) && value.every((item) => typeof item === 'number')
    ? Uint8Array.from(value)
    : undefined
}

function mapped(
  value: readonly Constant[],
  node: Node,
  evaluateBound: EvaluateBound,
  evaluate: Evaluate,
): Constant {
  const [callback] = nodesAt(node, 'arguments')
  const [parameter] = callback === undefined || callback === null ? [] : nodesAt(callback, 'params')
  const body = callback === undefined || callback === null ? undefined : bodyOf(callback)
  if (value.length > 4096 || evaluate(callback) !== undefined) return undefined
  if (parameter?.type !== 'Identifier' || body === undefined) return undefined
  return value.map((item) => evaluateBound(String(parameter['name']), item, body))
}

function bodyOf(callback: Node): Node | undefined {
  const body = nodeAt(callback, 'body')
  if (body?.type !== 'BlockStatement') return body
  const [only, ...more] = nodesAt(body, 'body')
  return more.length === 0 && only?.type === 'ReturnStatement' ? nodeAt(only, 'argument') : undefined
}

function methodCall(value: Constant, method: string, args: readonly Constant[]): Constant {
  if (value instanceof Uint8Array) {
    const encoding = args[0] ?? 'utf8'
    if (method === 'toString' || method === 'decode')
      return isEncoding(encoding) ? Buffer.from(value).toString(encoding as BufferEncoding) : undefined
    return undefined
  }
  if (Array.isArray(value)) return arrayCall(value, method, args)
  return typeof value === 'string' ? stringCall(value, method, args) : undefined
}

function arrayCall(value: readonly Constant[], method: string, args: readonly Constant[]): Constant {
  if (method === 'reverse' || method === 'toReversed') return [...value].reverse()
  if (method === 'concat') return [...value, ...args.flatMap((item) => (Array.isArray(item) ? item : [item]))]
  if (method === 'slice')
    return value.slice(...(args.filter((item) => typeof item === 'number') as [number?, number?]))
  if (method === 'decode') return bytesOf(value) && Buffer.from(bytesOf(value) ?? []).toString('utf8')
  if (method !== 'join') return undefined
  if (!value.every((item) => typeof item === 'string' || typeof item === 'number')) return undefined
  return value.join(typeof args[0] === 'string' ? args[0] : ',')
}

function stringCall(value: string, method: string, args: readonly Constant[]): Constant {
  const [first, second] = args
  const numbers = args.filter((item) => typeof item === 'number')
  if (method === 'concat')
    return args.every((item) => typeof item === 'string' || typeof item === 'number')
      ? value + args.join('')
      : undefined
  if (method === 'split') return typeof first === 'string' ? value.split(first) : undefined
  if (
    (method === 'replace' || method === 'replaceAll') &&
    typeof first === 'string' &&
    typeof second === 'string'
  )
    return method === 'replace' ? value.replace(first, () => second) : value.replaceAll(first, () => second)
  if (method === 'repeat')
    return typeof first === 'number' && value.length * first < 65_536 && first >= 0
      ? value.repeat(first)
      : undefined
  if (numbers.length !== args.length) return undefined
  const [from = 0, to] = numbers
  if (method === 'slice') return value.slice(from, to)
  if (method === 'substring') return value.substring(from, to)
  if (method === 'substr') return value.slice(from, to === undefined ? undefined : from + to)
  if (method === 'charAt' || method === 'at') return value.at(from)
  if (method === 'charCodeAt' || method === 'codePointAt') return value.charCodeAt(from)
  if (method === 'toString' || method === 'trim' || method === 'valueOf') return value.trim()
  return undefined
}
