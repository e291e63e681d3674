import { type Effort, OverEffort, ofExpression, partOf, pay } from '../model/effort.ts'
import { hole } from '../model/mint-call.ts'
import { type CallSites, createCallSites, type NodeIn } from './evaluate/call-sites.ts'
import { createEvaluator } from './evaluate/evaluate.ts'
import {
  type Default,
  type Evaluator,
  type Following,
  isEndless,
  type Place,
  spreadItems,
} from './evaluate/evaluator.ts'
import { isAddress, joined, pathIn } from './evaluate/http-clients.ts'
import { collectModules } from './evaluate/modules.ts'
import { frameOf, makeObject } from './evaluate/objects.ts'
import { placeInside } from './evaluate/run.ts'
import { type Constant, type Fields, isCallable, isFields } from './evaluate/value.ts'
import { leaveBehind } from './parse/parser-memory.ts'
import {
  classAround,
  holderOf,
  type Node,
  nodeAt,
  nodesAt,
  type Scope,
  type Scopes,
  type Write,
} from './parse/scope.ts'

/** An address that an expression calls. */
export interface Request {
  readonly address: string
  /** Place of the expression: `[start, end)`. */
  readonly start: number
  readonly end: number
}

/** Known facts about a script whose requests are followed. */
export interface Followed {
  readonly scopes: Scopes
  /** Effort for the whole script. */
  readonly effort: Effort
  /** Told each request that is found. */
  readonly found: (request: Request) => void
  /** Told where one expression costs more than it may. */
  readonly tooCostly: () => void
}

const muchSteps = 500_000
/** Functions around a place whose calls are looked at, and that run for it. */
const mostAround = 4
const deepest = 32

/**
 * Follows what bears the mint's path through clients, classes, functions and modules: each expression once for either
 * branch of what is not known, if there is such a branch. @throws OverEffort
 */
export function followRequests(bearers: readonly NodeIn[], script: Followed): void {
  const { scopes, effort, found, tooCostly } = script
  const known = { modules: collectModules(scopes, effort), defaults: defaultsIn(scopes, effort) }
  const sites = createCallSites(scopes, effort)
  for (const branch of ['consequent', 'alternate'] as const) {
    let current: Node | null = null
    let count = 0
    let isKnown = false
    const met = (address: string) => {
      if (current === null || !address.includes('token')) return
      count += 1
      isKnown ||= isAddress(address) && !address.includes(hole)
      found({ address, start: current.start, end: current.end })
    }
    const own = partOf(effort, ofExpression)
    const following: Following = { ...known, objects: new Map(), met, count: () => count }
    const costs = { script: effort, expression: own, muchSteps }
    const evaluator = createEvaluator(scopes, costs, tooCostly, { following, branch })
    for (const bearer of bearers) {
      current = bearer.node
      isKnown = false
      Object.assign(own, ofExpression)
      Object.assign(evaluator.running, { grown: 0, leastSteps: null })
      try {
        const search = { evaluator, sites, met }
        evaluateAt(bearer, { scope: bearer.scope, frame: null }, search)
        if (!isKnown) followFromOutside(bearer, search)
      } catch (error) {
        if (!(error instanceof OverEffort && error.effort === own)) throw error
        if (!isEndless(evaluator)) tooCostly()
      }
      pay(effort, leaveBehind(ofExpression.bytes - own.bytes))
    }
    if (!evaluator.hasChosen()) return
  }
}

interface Search {
  readonly evaluator: Evaluator
  readonly sites: CallSites
  readonly met: (address: string) => void
}

function evaluateAt(bearer: NodeIn, place: Place, search: Search): void {
  const { node } = bearer
  const { evaluator, met } = search
  if (node.type === 'Property') {
    followEndpoint(bearer, place, search)
    return
  }
  if (node.type === 'AssignmentExpression') {
    const path = evaluator.evaluate(nodeAt(node, 'right'), place)
    const target = nodeAt(node, 'left')
    const address = evaluator.evaluate(target === undefined ? undefined : nodeAt(target, 'object'), place)
    if (typeof path === 'string' && typeof address === 'string' && isAddress(address))
      met(joined({ address, join: 'resolve' }, path))
    return
  }
  const value = evaluator.evaluate(node, place)
  if (typeof value === 'string') met(value)
  // Given to what is not known, it is the path of the page's own host.
  if (isOfOwnHost(node)) {
    const first = evaluator.evaluate(nodesAt(node, 'arguments')[0], place)
    if (typeof first === 'string' && first.startsWith('/')) met(`${ownHost}${first}`)
  }
}

/** The path of an endpoint, as an option of what is given to a client that is another of its options. */
function followEndpoint({ node }: NodeIn, place: Place, { evaluator, sites, met }: Search): void {
  const path = endpointPath(evaluator.evaluate(nodeAt(node, 'value'), place), evaluator)
  if (path === undefined) return
  for (const { node: call, scope } of sites.around(node))
    for (const given of nodesAt(call, 'arguments')) {
      const options = given === null ? undefined : evaluator.evaluate(given, { scope, frame: null })
      for (const value of isFields(options) ? options.fields.values() : [])
        if (isFields(value) && value.base !== undefined) met(joined(value.base, path))
    }
}

/** Reads the path of an endpoint: a path, options with a path, or a function that gives either. */
export function endpointPath(value: Constant, evaluator: Evaluator): string | undefined {
  const given = isCallable(value) ? evaluator.call(value, []) : value
  return typeof given === 'string' ? given : isFields(given) ? pathIn(given) : undefined
}

/** In the place of a host: that of the page. */
export const ownHost = 'own:'

function isOfOwnHost(node: Node): boolean {
  const callee = nodeAt(node, 'callee')
  return callee?.type === 'Identifier' && /^(?:fetch|Request|EventSource)$/.test(String(callee['name']))
}

/** The same as it is where the functions and the class around it are called from. */
function followFromOutside(bearer: NodeIn, search: Search): void {
  const { evaluator, sites } = search
  const within = classAround(bearer.scope, evaluator.effort)
  const inside = functionsAround(bearer.scope, evaluator.effort)
  for (const site of within === null ? [] : sites.of(within.node, within.scope)) {
    const { made } = asFields(targetOf(site, evaluator))
    if (made === undefined || made.node !== within?.node) continue
    const object = makeObject(made, argumentsAt(site, evaluator), evaluator)
    const methods = inside.slice(0, inside.findIndex(({ parent }) => parent === within.scope) + 1)
    evaluateAt(bearer, placeWithin(methods, frameOf(object, made.frame), bearer, evaluator), search)
  }
  for (const [index, { opener, parent }] of inside.slice(0, mostAround).entries())
    for (const site of sites.of(opener, parent)) {
      const target = targetOf(site, evaluator)
      if (!isCallable(target) || target.callable !== opener) continue
      const { frame } = placeInside(target, argumentsAt(site, evaluator), evaluator)
      evaluateAt(bearer, placeWithin(inside.slice(0, index), frame, bearer, evaluator), search)
    }
}

interface Around {
  readonly opener: Node
  readonly parent: Scope
}

/** The functions around a place, the innermost first. */
function functionsAround(scope: Scope, effort: Effort): Around[] {
  const around: Around[] = []
  for (let at: Scope | null = scope; at !== null && around.length < deepest; at = at.parent) {
    pay(effort, 1)
    const { opener, parent } = at
    if (opener !== null && parent !== null && /Function/.test(opener.type)) around.push({ opener, parent })
  }
  return around
}

/** Where a place is after the functions around it have run, from the outermost on, of which nothing else is known. */
function placeWithin(
  inside: readonly Around[],
  outer: Place['frame'],
  { scope }: NodeIn,
  evaluator: Evaluator,
): Place {
  const frame = inside
    .toReversed()
    .reduce(
      (before, { opener, parent }) =>
        placeInside({ callable: opener, scope: parent, frame: before }, [], evaluator).frame,
      outer,
    )
  return { scope, frame }
}

function targetOf({ node, scope }: NodeIn, evaluator: Evaluator): Constant {
  return evaluator.evaluate(nodeAt(node, 'callee'), { scope, frame: null })
}

function asFields(value: Constant): Partial<Fields> {
  return isFields(value) ? value : {}
}

function argumentsAt({ node, scope }: NodeIn, evaluator: Evaluator): Constant[] {
  return spreadItems(nodesAt(node, 'arguments'), { scope, frame: null }, evaluator)
}

/** Collects assignments to clients' defaults: `client.defaults.baseURL = …`, also by interceptors. */
function defaultsIn(scopes: Scopes, effort: Effort): Following['defaults'] {
  const defaults = new Map<Scope | null, Map<string, Default>>()
  scopes.visit((node, scope) => {
    const left = node.type === 'AssignmentExpression' ? nodeAt(node, 'left') : undefined
    const value = nodeAt(node, 'right')
    if (left?.type !== 'MemberExpression' || value === undefined) return
    if (nodeAt(left, 'property')?.['name'] !== 'baseURL') return
    const owner = nodeAt(left, 'object')
    if (owner === undefined || nodeAt(owner, 'property')?.['name'] !== 'defaults') return
    let root: Node | undefined = owner
    while (root?.type === 'MemberExpression') root = nodeAt(root, 'object')
    if (root?.type !== 'Identifier') return
    const name = String(root['name'])
    const holder = holderOf(name, scope, effort)
    const own = defaults.get(holder) ?? new Map<string, Default>()
    defaults.set(holder, own.set(name, { value, scope }))
  })
  scopes.visit((node, scope) => {
    const name = interceptedBy(node)
    const write = name === null ? undefined : writeWithin(node, scopes.properties.get('baseURL'))
    if (name === null || write === undefined) return
    const holder = holderOf(name, scope, effort)
    const own = defaults.get(holder) ?? new Map<string, Default>()
    if (!own.has(name)) defaults.set(holder, own.set(name, write))
  })
  return defaults
}

/** The name of the client of which a call sets an interceptor of requests: `client.interceptors.request.use(…)`. */
function interceptedBy(node: Node): string | null {
  if (node.type !== 'CallExpression') return null
  const path: string[] = []
  let at = nodeAt(node, 'callee')
  for (; at?.type === 'MemberExpression'; at = nodeAt(at, 'object'))
    path.push(String(nodeAt(at, 'property')?.['name']))
  const name = at?.type === 'Identifier' ? at['name'] : undefined
  return path.slice(0, 3).join('.') === 'use.request.interceptors' && path.length === 3 ? String(name) : null
}

function writeWithin({ start, end }: Node, writes: readonly Write[] = []): Write | undefined {
  return writes.find((write) => write.start > start && write.start < end)
}
