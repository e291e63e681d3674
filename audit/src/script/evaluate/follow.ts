import { holderOf, type Node, nodeAt, nodesAt } from '../parse/scope.ts'
import type { Evaluator, Following, Place } from './evaluator.ts'
import {
  addressesOfDocument,
  baseIn,
  documentsIn,
  isAddress,
  isRequest,
  joined,
  pathIn,
} from './http-clients.ts'
import { constructAbove, makeByFunction, makeObject } from './objects.ts'
import { type Base, type Constant, type Fields, isCallable, isExports, isFields } from './value.ts'

export interface Call {
  readonly node: Node
  readonly callee: Node
  readonly args: readonly Constant[]
  readonly place: Place
  /** Name of the method that is called, and the object that it is called on. */
  readonly method: string | null
  readonly owner: Constant
  readonly target: () => Constant
}

/** Follows a call of a client, a class or a module's `require`; `null` for any other call. */
export function followCall(call: Call, evaluator: Evaluator): { readonly value: Constant } | null {
  const { following } = evaluator
  if (following === null) return null
  const { node, callee, args, place, method } = call
  if (callee.type === 'Super') {
    constructAbove(args, place, evaluator)
    return { value: undefined }
  }
  const required = following.modules.required(node, args, place, evaluator)
  if (required !== null) return { value: required }
  const target = call.target()
  if (node.type === 'NewExpression') return made(target, args, evaluator)
  if (isExports(target)) return { value: target.exported('default') ?? target.whole() ?? target }
  const owner = method === null ? target : call.owner
  if (method === 'then' && isCallable(args[0])) return { value: evaluator.call(args[0], [owner]) }
  const own = (isFields(owner) ? owner.base : undefined) ?? defaultOf(callee, place, evaluator)
  if (own === undefined) return null
  if (own.isGuess !== true || !isCallable(target)) return requested(own, method, args, following)
  // The script's own function tells more than the usual behaviour of such functions.
  const before = following.count()
  const value = evaluator.call(target, args)
  return following.count() > before || isFields(value) ? { value } : requested(own, method, args, following)
}

/** Gives the result of any other call: perhaps a client, where the call is given an address. */
export function clientOf(call: Call, known: Constant, evaluator: Evaluator): Constant {
  const { following } = evaluator
  if (following === null) return known
  const { args } = call
  const result = known ?? ofCallback(call, evaluator)
  const options = args.filter(isFields)
  const base = firstOf(options, baseIn)
  for (const document of options.flatMap(documentsIn))
    for (const address of addressesOfDocument(document, evaluator.effort)) following.met(address)
  const [first] = args
  if (base !== undefined) {
    const path = firstOf(options, pathIn) ?? (typeof first === 'string' ? first : undefined)
    if (path === undefined) return withBase(result, base)
    following.met(joined(base, path))
    return result
  }
  const isMade = result === undefined || isFields(result) || isCallable(result)
  if (!isMade || typeof first !== 'string' || !/^https?:\/\//i.test(first)) return result
  return withBase(result, { address: first, join: 'slash', isGuess: true })
}

const givesResult = /^(?:useMemo|once|memo|memoize|lazy|computed)$/
const givesKey = /^(?:useSWR\w*|useQuery|useAsync|createResource|useFetcher)$/
const mostCallbacks = 4

/** Gives the result of an unknown function that is known to run a callback. */
function ofCallback({ callee, args, place, method }: Call, evaluator: Evaluator): Constant {
  const callbacks = args.filter(isCallable).slice(0, mostCallbacks)
  if (callbacks.length === 0) return undefined
  const last = callee.type === 'SequenceExpression' ? nodesAt(callee, 'expressions').at(-1) : callee
  const name = method ?? String(last?.['name'] ?? (last == null ? '' : nodeAt(last, 'property')?.['name']))
  if (givesResult.test(name)) return evaluator.call(args[0], [])
  if (givesKey.test(name) && typeof args[0] === 'string') evaluator.call(args[1], [args[0]])
  // Outside of running functions, what is in a callback is looked at by itself.
  else if (place.frame !== null) for (const callback of callbacks) evaluator.call(callback, [])
  return undefined
}

function firstOf<T>(options: readonly Fields[], read: (one: Fields) => T | undefined): T | undefined {
  for (const one of options) {
    const found = read(one)
    if (found !== undefined) return found
  }
  return undefined
}

function withBase(result: Constant, base: Base): Constant {
  if (isCallable(result)) return { ...result, fields: new Map(), base }
  return result === undefined || isFields(result) ? { fields: new Map(), ...result, base } : result
}

function made(target: Constant, args: readonly Constant[], evaluator: Evaluator) {
  const object =
    isFields(target) && target.made !== undefined
      ? makeObject(target.made, args, evaluator)
      : makeByFunction(target, args, evaluator)
  return object === undefined ? null : { value: clientOfObject(object, args) }
}

/** An object that is made with a base may hand it to a class of a library, whose code need not be understood. */
function clientOfObject(object: Constant, args: readonly Constant[]): Constant {
  const base = firstOf(args.filter(isFields), baseIn)
  return base === undefined ? object : withBase(object, base)
}

/** A call of a client, or of one of its methods. */
function requested(
  own: Base,
  method: string | null,
  args: readonly Constant[],
  { met }: Following,
): { readonly value: Constant } | null {
  const options = args.filter(isFields)
  const given = firstOf(options, baseIn) ?? own
  // Wretch is given the body first.
  const path = args.slice(0, 2).find((arg) => typeof arg === 'string') ?? firstOf(options, pathIn)
  if (method === null || isRequest(method)) {
    if (path !== undefined) met(joined(given, path))
    return method === null ? { value: { fields: new Map(), base: given } } : { value: undefined }
  }
  if (method === 'url' && typeof path === 'string') {
    const base: Base = { address: joined({ ...own, join: 'append' }, path), join: 'append' }
    if (!isAddress(path)) met(base.address)
    return { value: { fields: new Map(), base } }
  }
  // A call that only sets options gives a client with the same base.
  return { value: { fields: new Map(), base: given } }
}

/** Finds the base assigned to the defaults of the client that is called, or whose method is called. */
function defaultOf(callee: Node, place: Place, evaluator: Evaluator): Base | undefined {
  const { following, effort } = evaluator
  if (following === null || following.defaults.size === 0) return undefined
  let root: Node | undefined = callee
  while (root?.type === 'MemberExpression') root = nodeAt(root, 'object')
  if (root?.type !== 'Identifier') return undefined
  const name = String(root['name'])
  const found = following.defaults.get(holderOf(name, place.scope, effort))?.get(name)
  if (found === undefined) return undefined
  const address = evaluator.evaluate(found.value, { scope: found.scope, frame: null })
  return typeof address === 'string' ? { address, join: 'slash' } : undefined
}
