import { type Effort, pay } from '../../model/effort.ts'
import { holderOf, type Node, nodeAt, nodesAt, type Scope, type Scopes } from '../parse/scope.ts'
import type { Evaluator, Modules, Place } from './evaluator.ts'
import { type Constant, type Exports, isExports, isFields } from './value.ts'

interface Module {
  readonly scope: Scope
  /** Names of its parameters. */
  readonly require: readonly string[]
  readonly exports: string | undefined
  readonly module: string | undefined
  readonly exported: Map<string, Exported>
  /** Names of exports that are being read. */
  readonly asked: Set<string>
  /** Modules that it may require: a list, which is a parameter, in Metro, an object in Browserify. */
  readonly dependencies: Dependencies | null
}

interface Dependencies {
  readonly name: string | undefined
  readonly node: Node
}

/** One export: an expression, or a function that gives it. */
interface Exported {
  readonly node: Node
  readonly scope: Scope
  readonly isGetter: boolean
}

const stepsOfExport = 8
/** Under this name: what takes the place of all exports. */
const all = ''

/** Reads which functions of a script are modules, and what each of them exports. */
export function collectModules(scopes: Scopes, effort: Effort): Modules {
  const byId = new Map<string, Module | null>()
  const byScope = new Map<Scope, Module>()
  /** The names that webpack's own function for modules has, which the entry calls. */
  const loaders = new Map<Scope, string>()
  const add = (id: unknown, factory: Node | undefined, outer: Scope, order: Order, list?: Node | null) => {
    if ((typeof id !== 'string' && typeof id !== 'number') || factory === undefined) return
    if (!/^(?:Arrow)?Function/.test(factory.type)) return
    const names = nodesAt(factory, 'params').map((param) => String(param?.['name'] ?? ''))
    const scope = scopes.scopeOf(factory, outer)
    if (names.length === 0 || byScope.has(scope)) return
    const named = (index: number) => names[index] || undefined
    const require = order.require.map(named).filter((name) => name !== undefined)
    const module = {
      scope,
      require,
      exports: named(order.exports),
      module: named(order.module),
      exported: new Map(),
      asked: new Set<string>(),
      dependencies: list == null ? null : { name: named(6), node: list },
    }
    // Two modules with one name: neither is known to be meant.
    byId.set(String(id), byId.has(String(id)) ? null : module)
    byScope.set(scope, module)
  }
  scopes.visit((node, scope) => {
    pay(effort, 1)
    if (node.type === 'Property') {
      const key = nodeAt(node, 'key')
      const value = nodeAt(node, 'value')
      const [first, second] = value?.type === 'ArrayExpression' ? nodesAt(value, 'elements') : []
      const id = node['computed'] === true ? undefined : (key?.['value'] ?? key?.['name'])
      if (first == null) add(id, value, scope, webpack)
      else add(id, first, scope, browserify, second)
    } else if (node.type === 'CallExpression') {
      const [first, second, third] = nodesAt(node, 'arguments')
      const name = String(nodeAt(node, 'callee')?.['name'] ?? '')
      if (name === '__d') add(literalAt(second), first ?? undefined, scope, metro, third)
      else if (/register$/i.test(name)) add(literalAt(first), second ?? undefined, scope, parcel)
      else
        for (const [index, factory] of listedIn(first).entries())
          add(index, factory ?? undefined, scope, webpack)
    }
  })
  if (byScope.size > 0)
    scopes.visit((node, scope) => {
      pay(effort, 1)
      readExport(node, scope, byScope, effort)
      const loader = loaderIn(node)
      const holder = loader === null ? null : holderOf(loader, scope, effort)
      if (loader !== null && holder !== null) loaders.set(holder, loader)
    })
  /** Says whether a name gives modules, and by which list where it is a module's own. */
  const requiring = (name: string, place: Place): Module | null | undefined => {
    const holder = holderOf(name, place.scope, effort)
    const module = holder === null ? undefined : byScope.get(holder)
    if (module?.require.includes(name) === true) return module
    return holder !== null && loaders.get(holder) === name ? null : undefined
  }
  return {
    required(call, args, place, evaluator) {
      if (byScope.size === 0) return null
      const callee = nodeAt(call, 'callee')
      const isMethod = callee?.type === 'MemberExpression'
      const asked = isMethod ? nodeAt(callee, 'object') : callee
      if (asked?.type !== 'Identifier') return null
      const name = String(asked['name'])
      const module = requiring(name, place)
      if (module === undefined) return null
      const given = dependencyOf(module, args[0], nodesAt(call, 'arguments')[0])
      // `n.n(module)` gives a function that gives the default export.
      if (isMethod) return isExports(given) ? given : null
      const wanted = byId.get(String(given))
      return (typeof given === 'number' || typeof given === 'string') && wanted != null
        ? exportsOf(wanted, evaluator)
        : null
    },
    own(name, holder, evaluator) {
      const module = byScope.get(holder)
      return module?.exports === name ? exportsOf(module, evaluator) : undefined
    },
  }
}

/** The name of the function that runs modules: `modules[id](module, module.exports, load)`. */
function loaderIn(node: Node): string | null {
  if (node.type !== 'CallExpression') return null
  const callee = nodeAt(node, 'callee')
  const isBound = callee?.type === 'MemberExpression' && nodeAt(callee, 'property')?.['name'] === 'call'
  const run = isBound ? nodeAt(callee, 'object') : callee
  const last = nodesAt(node, 'arguments')[isBound ? 3 : 2]
  const isOfList = run?.type === 'MemberExpression' && run['computed'] === true
  return isOfList && last?.type === 'Identifier' ? String(last['name']) : null
}

/** The modules that webpack 4 gives its first function, or a later one, as a list. */
function listedIn(given: Node | null | undefined): readonly (Node | null)[] {
  const items = given?.type === 'ArrayExpression' ? nodesAt(given, 'elements') : []
  const [, second] = items
  const list = second?.type === 'ArrayExpression' ? nodesAt(second, 'elements') : items
  return list.every((item) => item === null || /Function/.test(item.type)) ? list : []
}

/** The id of what is required: as it is given, by a list of Metro, or by an object of Browserify. */
function dependencyOf(module: Module | null, given: Constant, asked: Node | null | undefined): Constant {
  if (module === null || module.dependencies === null) return given
  const { name, node } = module.dependencies
  const isListed = asked?.type === 'MemberExpression' && nodeAt(asked, 'object')?.['name'] === name
  const listed = isListed
    ? nodesAt(node, 'elements')[Number(nodeAt(asked, 'property')?.['value'])]
    : propertyOf(node, String(given))
  const id = literalAt(listed)
  return typeof id === 'number' || typeof id === 'string' ? id : given
}

/** At which place a module's function is given what. */
interface Order {
  readonly module: number
  readonly exports: number
  readonly require: readonly number[]
}

const webpack: Order = { module: 0, exports: 1, require: [2] }
const browserify: Order = { module: 1, exports: 2, require: [0] }
const metro: Order = { module: 4, exports: 5, require: [1, 2, 3] }
const parcel: Order = { module: 1, exports: 2, require: [0] }

function readExport(node: Node, scope: Scope, byScope: ReadonlyMap<Scope, Module>, effort: Effort): void {
  const of = (target: Node | undefined, role: 'exports' | 'module') => {
    if (target?.type !== 'Identifier') return undefined
    const name = String(target['name'])
    const holder = holderOf(name, scope, effort)
    const module = holder === null ? undefined : byScope.get(holder)
    return module?.[role] === name ? module : undefined
  }
  /** `exports`, or `module.exports`. */
  const exportsAt = (target: Node | undefined) =>
    of(target, 'exports') ??
    (target?.type === 'MemberExpression' && nodeAt(target, 'property')?.['name'] === 'exports'
      ? of(nodeAt(target, 'object'), 'module')
      : undefined)
  const keep = (module: Module | undefined, name: unknown, value: Node | undefined, isGetter: boolean) => {
    if (module === undefined || typeof name !== 'string' || value === undefined) return
    module.exported.set(name, { node: value, scope, isGetter })
  }
  if (node.type === 'AssignmentExpression' && node['operator'] === '=') {
    const left = nodeAt(node, 'left')
    if (left?.type !== 'MemberExpression') return
    const property = nodeAt(left, 'property')
    const name = left['computed'] === true ? literalAt(property) : property?.['name']
    const right = valueAt(node)
    const whole = name === 'exports' ? of(nodeAt(left, 'object'), 'module') : undefined
    if (whole !== undefined) keep(whole, all, right, false)
    else keep(exportsAt(nodeAt(left, 'object')), name, right, false)
  } else if (node.type === 'CallExpression') {
    const [target, second, third] = nodesAt(node, 'arguments')
    const module = exportsAt(target ?? undefined)
    if (module === undefined) return
    if (second?.type === 'ObjectExpression') {
      for (const property of nodesAt(second, 'properties'))
        keep(module, keyOf(property), property === null ? undefined : nodeAt(property, 'value'), true)
      return
    }
    // `n.d(exports, 'name', () => value)`, and `Object.defineProperty(exports, 'name', { get })`.
    const getter = third?.type === 'ObjectExpression' ? propertyOf(third, 'get') : third
    if (getter != null && /Function/.test(getter.type)) keep(module, literalAt(second), getter, true)
    else if (third?.type === 'ObjectExpression')
      keep(module, literalAt(second), propertyOf(third, 'value'), false)
  }
}

/** Finds the value at the end of a chain of assignments: `a.b = a.c = value`. */
function valueAt(assignment: Node): Node | undefined {
  let value = nodeAt(assignment, 'right')
  while (value?.type === 'AssignmentExpression' && value['operator'] === '=') value = nodeAt(value, 'right')
  // `exports.name = void 0` comes before the value.
  return value?.type === 'UnaryExpression' && value['operator'] === 'void' ? undefined : value
}

/** A literal, also where a minifier has written it as a template. */
function literalAt(node: Node | null | undefined): unknown {
  const [only, ...more] = node?.type === 'TemplateLiteral' ? nodesAt(node, 'quasis') : []
  const cooked =
    only == null || more.length > 0 ? undefined : (only['value'] as { readonly cooked?: unknown })
  return cooked === undefined ? node?.['value'] : cooked.cooked
}

function keyOf(property: Node | null): unknown {
  const key = property === null || property['computed'] === true ? undefined : nodeAt(property, 'key')
  return key?.['name'] ?? key?.['value']
}

function propertyOf(object: Node, name: string): Node | undefined {
  const found = nodesAt(object, 'properties').find((property) => keyOf(property) === name)
  return found == null ? undefined : nodeAt(found, 'value')
}

function exportsOf(module: Module, evaluator: Evaluator): Exports {
  const exportOf = (name: string): Constant => {
    const found = module.exported.get(name)
    if (found === undefined) return undefined
    const value = evaluator.evaluate(found.node, { scope: found.scope, frame: null })
    return found.isGetter ? evaluator.call(value, []) : value
  }
  const whole = () => exportOf(all)
  return {
    exported(name) {
      pay(evaluator.effort, stepsOfExport)
      // Modules may export each other, or themselves.
      if (module.asked.has(name)) return undefined
      module.asked.add(name)
      try {
        const own = exportOf(name)
        if (own !== undefined) return own
        const value = whole()
        if (isExports(value)) return value.exported(name)
        return isFields(value) ? value.fields.get(name) : undefined
      } finally {
        module.asked.delete(name)
      }
    },
    whole,
  }
}
