import { type Effort, pay } from '../../model/effort.ts'
import { type Node, nodeAt, type Scope, type Scopes } from '../parse/scope.ts'

/** A node, and the scope that it is in. */
export interface NodeIn {
  readonly node: Node
  readonly scope: Scope
}

/** Where the functions and classes of a script are called by a name of theirs, or where they are written. */
export interface CallSites {
  /** Finds the calls of a function or class in a scope, perhaps with others of the same name. */
  of(node: Node, scope: Scope): readonly NodeIn[]
  /** The calls whose arguments a place is in, the innermost first. */
  around(node: Node): readonly NodeIn[]
}

/** So many are looked at for each name. */
const mostSites = 8
const mostAround = 4

/** @param effort pays for each look at a call */
export function createCallSites(scopes: Scopes, effort: Effort): CallSites {
  const calls = once(() => callsByName(scopes))
  const names = once(() => namesOfProperties(scopes))
  const nested = once(() => nestedCalls(scopes))
  /** The names of the values in each scope that was asked for. */
  const named = new Map<Scope, ReadonlyMap<Node, readonly string[]>>()
  return {
    of(node, scope) {
      pay(effort, 1)
      const own = named.get(scope) ?? namesByValue(scope)
      named.set(scope, own)
      const property = names().get(node)
      const keys = [node, ...(own.get(node) ?? []), ...(property === undefined ? [] : [property])]
      return [...new Set(keys)].flatMap((key) => calls().get(key) ?? [])
    },
    around({ start }) {
      const { sorted, outer } = nested()
      let at = firstFrom(sorted, start) - 1
      const found: NodeIn[] = []
      for (; at !== -1 && found.length < mostAround; at = outer[at] ?? -1) {
        pay(effort, 1)
        const call = sorted[at]
        if (call !== undefined && start < call.node.end) found.push(call)
      }
      return found
    },
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** All calls in their order, and for each the index of the call around it; -1 where there is none. */
function nestedCalls(scopes: Scopes) {
  const calls: NodeIn[] = []
  scopes.visit((node, scope) => {
    if (node.type === 'CallExpression') calls.push({ node, scope })
  })
  const sorted = calls.sort((a, b) => a.node.start - b.node.start || b.node.end - a.node.end)
  const outer = new Int32Array(sorted.length)
  const open: number[] = []
  for (const [index, { node }] of sorted.entries()) {
    while (open.length > 0 && (sorted[open.at(-1) ?? 0]?.node.end ?? 0) <= node.start) open.pop()
    outer[index] = open.at(-1) ?? -1
    open.push(index)
  }
  return { sorted, outer }
}

/** The index of the first call that does not begin before a place. */
function firstFrom(sorted: readonly NodeIn[], place: number): number {
  let low = 0
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >>> 1
    if ((sorted[middle]?.node.start ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}

/** By the last name of what is called; what is called where it is written has none. */
function callsByName(scopes: Scopes): Map<string | Node, NodeIn[]> {
  const calls = new Map<string | Node, NodeIn[]>()
  scopes.visit((node, scope) => {
    const callee = /^(?:Call|New)Expression$/.test(node.type) ? nodeAt(node, 'callee') : undefined
    if (callee === undefined) return
    const name = callee['name'] ?? nodeAt(callee, 'property')?.['name']
    const key = typeof name === 'string' ? name : callee
    const own = calls.get(key) ?? []
    if (own.length < mostSites) calls.set(key, [...own, { node, scope }])
  })
  return calls
}

function namesByValue(scope: Scope): Map<Node, string[]> {
  const names = new Map<Node, string[]>()
  for (const [name, writes] of scope.names)
    for (const { value } of writes) {
      const own = names.get(value) ?? []
      names.set(value, own)
      if (own.at(-1) !== name) own.push(name)
    }
  return names
}

function namesOfProperties(scopes: Scopes): Map<Node, string> {
  const names = new Map<Node, string>()
  for (const [name, writes] of scopes.properties) for (const { value } of writes) names.set(value, name)
  return names
}
