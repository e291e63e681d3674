import { type Evaluator, type Place, spreadItems } from './evaluator.ts'
import { listCall } from './list-calls.ts'
import { type Node, nodeAt, nodesAt } from './scope.ts'
import { stringCall } from './string-calls.ts'
import { type Constant, isCallable, isFields, isList, textOf } from './value.ts'

/** The result of a call of one of the functions that put strings together, or of a function of the script. */
export function evaluateCall(node: Node, place: Place, evaluator: Evaluator): Constant {
  const callee = nodeAt(node, 'callee')
  if (callee === undefined) return undefined
  const args = spreadItems(nodesAt(node, 'arguments'), place, evaluator)
  if (callee.type === 'Identifier') {
    const name = String(callee['name'])
    return globalCall(name, args) ?? evaluator.call(evaluator.evaluate(callee, place), args)
  }
  if (callee.type !== 'MemberExpression') return evaluator.call(evaluator.evaluate(callee, place), args)
  const property = nodeAt(callee, 'property')
  const method = callee['computed'] === true ? evaluator.evaluate(property, place) : property?.['name']
  const object = nodeAt(callee, 'object')
  if (typeof method !== 'string' || object === undefined) return undefined
  const known = staticCall(`${pathOf(object)}.${method}`, args, evaluator)
  if (known !== undefined) return known
  const value =
    /^decode$/.test(method) && object.type === 'NewExpression' ? args[0] : evaluator.evaluate(object, place)
  return methodCall(value, method, args, evaluator) ?? evaluator.call(evaluator.evaluate(callee, place), args)
}

/** `String.fromCharCode` for the nodes that spell it. */
function pathOf(node: Node): string {
  if (node.type === 'Identifier') return String(node['name'])
  const owner = nodeAt(node, 'object')
  const name = nodeAt(node, 'property')
  if (node.type !== 'MemberExpression' || owner?.type !== 'Identifier') return ''
  return `${String(owner['name'])}.${String(name?.['name'] ?? name?.['value'] ?? '')}`
}

function globalCall(name: string, args: readonly Constant[]): Constant {
  const [first, second] = args
  if (name === 'String') return textOf(first)
  if (/^(?:Uint8Array|Uint8ClampedArray|Uint16Array|Array)$/.test(name))
    return isList(first) || first instanceof Uint8Array ? first : args.length > 1 ? args : undefined
  if (name === 'Map')
    return isList(first)
      ? {
          fields: new Map(
            first.flatMap((pair) => (isList(pair) ? [[String(pair[0]), pair[1]] as const] : [])),
          ),
        }
      : undefined
  if (name === 'URL' && typeof first === 'string')
    return typeof second === 'string' && URL.canParse(first, second) ? new URL(first, second).href : first
  if (name === 'parseInt' && typeof first === 'string')
    return Number.parseInt(first, typeof second === 'number' ? second : undefined)
  if (name === 'Number' && typeof first === 'string') return Number(first)
  if (typeof first !== 'string') return undefined
  if (name === 'atob') return Buffer.from(first, 'base64').toString('latin1')
  if (name === 'btoa') return Buffer.from(first, 'latin1').toString('base64')
  if (/^(?:decodeURIComponent|decodeURI|unescape)$/.test(name))
    return first.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  return undefined
}

function staticCall(path: string, args: readonly Constant[], evaluator: Evaluator): Constant {
  const [first, second] = args
  const name = path.replace(/^(?:window|globalThis|self|global)\./, '')
  if (!name.includes('.')) return globalCall(name, args)
  switch (name) {
    case 'String.fromCharCode':
    case 'String.fromCodePoint':
      return charsOf(args)
    case 'String.fromCharCode.apply':
    case 'String.fromCodePoint.apply':
      return isList(second) || second instanceof Uint8Array ? charsOf([...second]) : undefined
    case 'Buffer.from':
      if (typeof first !== 'string') return bytesOf(first)
      return isEncoding(second ?? 'utf8')
        ? new Uint8Array(Buffer.from(first, (second ?? 'utf8') as BufferEncoding))
        : undefined
    case 'Uint8Array.of':
    case 'Array.of':
      return args
    case 'Array.from':
    case 'Uint8Array.from': {
      const items =
        typeof first === 'string' || isList(first) || first instanceof Uint8Array ? [...first] : undefined
      return items === undefined || second === undefined ? items : listCall(items, 'map', [second], evaluator)
    }
    case 'Object.freeze':
    case 'Object.seal':
    case 'Promise.resolve':
      return first
    case 'Object.assign':
      return { fields: new Map(args.flatMap((arg) => (isFields(arg) ? [...arg.fields] : []))) }
    case 'Object.values':
      return isFields(first) ? [...first.fields.values()] : undefined
    case 'Object.keys':
      return isFields(first) ? [...first.fields.keys()] : undefined
    case 'Object.entries':
      return isFields(first) ? [...first.fields].map(([key, value]) => [key, value]) : undefined
    case 'JSON.parse':
      return typeof first === 'string' ? parsed(first) : undefined
    default:
      return undefined
  }
}

function charsOf(args: readonly Constant[]): string | undefined {
  const codes = args.map((arg) =>
    typeof arg === 'string' || typeof arg === 'number' ? Number(arg) : Number.NaN,
  )
  return codes.every((code) => Number.isInteger(code) && code >= 0 && code <= 0x10_ffff)
    ? codes.map((code) => String.fromCodePoint(code)).join('')
    : undefined
}

function isEncoding(name: Constant): boolean {
  return typeof name === 'string' && Buffer.isEncoding(name)
}

function bytesOf(value: Constant): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value
  return isList(value) && value.every((item) => typeof item === 'number') ? Uint8Array.from(value) : undefined
}

function parsed(text: string): Constant {
  try {
    return constant(JSON.parse(text), 0)
  } catch {
    return undefined
  }
}

function constant(value: unknown, depth: number): Constant {
  if (depth > 20) return undefined
  if (Array.isArray(value)) return value.map((item: unknown) => constant(item, depth + 1))
  if (typeof value === 'object' && value !== null)
    return { fields: new Map(Object.entries(value).map(([key, item]) => [key, constant(item, depth + 1)])) }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

function methodCall(
  value: Constant,
  method: string,
  args: readonly Constant[],
  evaluator: Evaluator,
): Constant {
  if (value instanceof Uint8Array) {
    const encoding = args[0] ?? 'utf8'
    if (method === 'toString' || method === 'decode')
      return isEncoding(encoding) ? Buffer.from(value).toString(encoding as BufferEncoding) : undefined
    return listCall([...value], method, args, evaluator)
  }
  if (isList(value)) {
    if (method === 'decode') {
      const bytes = bytesOf(value)
      return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8')
    }
    return listCall(value, method, args, evaluator)
  }
  if (isFields(value) && method === 'get') return value.fields.get(String(args[0]))
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
  return typeof value === 'string' ? stringCall(value, method, args) : undefined
}
