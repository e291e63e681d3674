import { isNode, type Node, nodeAt, nodesAt } from '../parse/scope.ts'

/** A replacement in the text of a script. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A module that is a function, which is given what it needs of others: `71: (module, exports, require) => { … }`. */
interface ChunkModule {
  readonly id: string
  readonly body: Node
  readonly names: readonly string[]
  readonly given: Given
  /** Its exports: expressions, by their names. */
  readonly exported: Map<string, Node>
  /** Values given to `module.exports`. */
  readonly whole: Node[]
  /** True where it hands on what other modules export, by `export *`. */
  isOpen: boolean
}

/** The names for what a module is given. */
interface Given {
  readonly module?: string | undefined
  readonly exports?: string | undefined
  /** Functions that give a module; in Metro, the second gives its default export. */
  readonly loaders: readonly (string | undefined)[]
  /** Has all of it in Turbopack, where it is one object. */
  readonly context?: string | undefined
  /** Ids of the modules that it needs: a list in Metro, an object in Browserify. */
  readonly needs?: { readonly name: string | undefined; readonly node: Node } | undefined
  /** In Parcel, any function may be the one that gives a module by its id. */
  readonly isAny?: boolean
}

/** At which place a module's function is given what. */
interface Order {
  readonly module?: number
  readonly exports?: number
  readonly loaders: readonly number[]
  readonly context?: number
  readonly needs?: number
  readonly most: number
}

const webpack: Order = { module: 0, exports: 1, loaders: [2], most: 3 }
const turbopack: Order = { context: 0, loaders: [], most: 1 }
const browserify: Order = { module: 1, exports: 2, loaders: [0], most: 7 }
const metro: Order = { module: 4, exports: 5, loaders: [1, 2, 3], needs: 6, most: 7 }
const parcel: Order = { module: 0, exports: 1, loaders: [], most: 2 }

/** A call that requires a module, gives a function that does, or loads its chunk first. */
interface ModuleCall {
  readonly node: Node
  readonly id: string
  readonly kind: 'module' | 'default' | 'function' | 'promise'
}

/** The modules of one chunk, and the calls that require others. */
export interface Chunk {
  readonly modules: readonly ChunkModule[]
  readonly calls: readonly ModuleCall[]
  /** Calls that load another chunk. */
  readonly loads: readonly Node[]
}

const globalGiven =
  /\b(?:self|window|globalThis|this)(?:\.([\w$]{1,80})|\[["']([^"'\]]{1,80})["']\]) ?=(?!=)/g
const longestList = 110

/** The names of lists on the global object that each of several scripts makes where there is none yet. */
export function sharedLists(text: string): string[] {
  const names: string[] = []
  for (const { 0: found, 1: dotted, 2: quoted, index } of text.matchAll(globalGiven)) {
    const end = index + found.length
    const given = text.slice(end, end + longestList).trimStart()
    if (given.startsWith('[]') || /^[^|;]{1,100}\|\| ?\[\]/.test(given)) names.push(dotted ?? quoted ?? '')
  }
  return names
}

/** The modules of Metro begin so, each on a new line. */
export const metroModule = '__d('

const ofParcel = /\bparcelRequire|\.register\(/
const numbered =
  /[{,]\s{0,9}(?:\d{1,7}|"[^"\n]{1,200}")\s?(?:\(\w{1,40}(?:,\s?\w{1,40}){0,2}\)\s?\{|:\s?\[?\s?(?:function\s?\(|\(?\w{1,40}(?:,\s?\w{1,40}){0,2}\)?\s?=>))/

/** Says whether functions of a script seem to be modules. */
export function hasModules(text: string): boolean {
  return (
    text.includes(metroModule) || ofParcel.test(text) || numbered.test(text) || sharedLists(text).length > 0
  )
}

export function readChunk(tree: Node, text: string): Chunk {
  const isParcel = ofParcel.test(text)
  const found: ChunkModule[] = []
  const loaders: string[] = []
  walk(tree, (node) => {
    if (node.type === 'Property' && node['computed'] !== true) {
      const key = nodeAt(node, 'key')
      const value = nodeAt(node, 'value')
      const [first, second] = value?.type === 'ArrayExpression' ? nodesAt(value, 'elements') : []
      const id = key?.['value'] ?? key?.['name']
      if (first == null) add(found, id, value, webpack)
      else add(found, id, first, browserify, second)
    } else if (node.type === 'ArrayExpression') {
      const items = nodesAt(node, 'elements')
      const isList = items.every((item) => item === null || /Function/.test(item.type))
      for (const [index, item] of items.entries())
        if (isList) add(found, index, item, webpack)
        else if (items[index - 1]?.type === 'Literal')
          add(found, items[index - 1]?.['value'], item, turbopack)
    } else if (node.type === 'CallExpression') {
      const [first, second, third] = nodesAt(node, 'arguments')
      if (nodeAt(node, 'callee')?.['name'] === '__d') add(found, second?.['value'], first, metro, third)
      else if (isParcel && first?.type === 'Literal') add(found, first['value'], second, parcel)
    } else if (node.type === 'AssignmentExpression') {
      // `load.m = modules`
      const left = nodeAt(node, 'left')
      const object = left?.type === 'MemberExpression' ? nodeAt(left, 'object') : undefined
      if (object?.type === 'Identifier' && left !== undefined && nodeAt(left, 'property')?.['name'] === 'm')
        loaders.push(String(object['name']))
    }
  })
  for (const one of found) walk(one.body, (node) => readExports(node, one))
  const [calls, loads]: [ModuleCall[], Node[]] = [[], []]
  for (const { body, given } of found) walk(body, (node) => readCall(node, given, calls, loads))
  for (const { given } of found)
    if (given.needs === undefined) loaders.push(...given.loaders.filter((one) => one !== undefined))
  walk(tree, (node) => readCall(node, { loaders, isAny: isParcel }, calls, loads))
  return { modules: outermost(found), calls, loads }
}

function add(
  found: ChunkModule[],
  id: unknown,
  factory: Node | null | undefined,
  order: Order,
  needs?: Node | null,
): void {
  if (factory == null || !/Function/.test(factory.type) || (id ?? '') === '') return
  const body = nodeAt(factory, 'body')
  const names = nodesAt(factory, 'params').map((param) => String(param?.['name'] ?? ''))
  if (body?.type !== 'BlockStatement' || names.length === 0 || names.length > order.most) return
  const named = (index: number | undefined) => (index === undefined ? undefined : names[index] || undefined)
  const given = {
    module: named(order.module),
    exports: named(order.exports),
    loaders: order.loaders.map(named),
    context: named(order.context),
    needs: needs == null ? undefined : { name: named(order.needs), node: needs },
    isAny: order === parcel,
  }
  found.push({ id: String(id), body, names, given, exported: new Map(), whole: [], isOpen: false })
}

/** Modules with exports that are in no other one. */
function outermost(found: readonly ChunkModule[]): ChunkModule[] {
  let end = 0
  return found
    .filter(({ exported, whole, isOpen }) => isOpen || exported.size + whole.length > 0)
    .sort((a, b) => a.body.start - b.body.start)
    .filter(({ body }) => {
      if (body.start < end) return false
      end = body.end
      return true
    })
}

function readCall(node: Node, given: Given, calls: ModuleCall[], loads: Node[]): void {
  const { loaders, context, needs, isAny } = given
  if (isAny === true && node.type === 'ImportExpression') loads.push(node)
  if (node.type !== 'CallExpression') return
  const callee = nodeAt(node, 'callee')
  const method = callee?.type === 'MemberExpression' ? nodeAt(callee, 'property')?.['name'] : undefined
  const name = (method === undefined ? callee : nodeAt(callee as Node, 'object'))?.['name']
  const asked = nodesAt(node, 'arguments').at(method === 'bind' ? 1 : 0)
  const listed = listedAt(asked, needs)
  const id = (listed ?? asked)?.['value']
  if (typeof id !== 'string' && typeof id !== 'number') {
    if (method === 'e' && loaders.includes(String(name))) loads.push(node)
    return
  }
  const call = (kind: ModuleCall['kind']) => calls.push({ node, id: String(id), kind })
  if (name !== undefined && loaders.includes(String(name))) {
    if (method === 'e') loads.push(node)
    else if (method === undefined) call(needs !== undefined && name === loaders[1] ? 'default' : 'module')
    else if (method === 'bind') call('function')
  } else if (name !== undefined && name === context && /^[irA]$/.test(String(method)))
    call(method === 'A' ? 'promise' : 'module')
  else if (listed !== undefined) call('promise')
  else if (isAny === true && method === undefined && typeof id === 'string') call('module')
}

/** The id that a list of Metro has at `list[0]`, or an object under a name. */
function listedAt(asked: Node | null | undefined, needs: Given['needs']): Node | undefined {
  if (asked == null || needs === undefined) return undefined
  const isMember = asked.type === 'MemberExpression' && asked['computed'] === true
  if (isMember && nodeAt(asked, 'object')?.['name'] !== needs.name) return undefined
  const key = (isMember ? nodeAt(asked, 'property') : asked)?.['value']
  if (needs.node.type === 'ArrayExpression')
    return isMember ? (nodesAt(needs.node, 'elements')[Number(key)] ?? undefined) : undefined
  for (const [name, value] of fieldsOf(needs.node)) if (String(name) === String(key)) return value
  return undefined
}

function readExports(node: Node, one: ChunkModule): void {
  const { given, exported, whole } = one
  const isNamed = (other: Node | null | undefined, name: string | undefined) =>
    other?.type === 'Identifier' && name !== undefined && other['name'] === name
  const isExports = (other: Node | null | undefined) =>
    isNamed(other, given.exports) ||
    (other?.type === 'MemberExpression' &&
      nodeAt(other, 'property')?.['name'] === 'exports' &&
      isNamed(nodeAt(other, 'object'), given.module))
  if (node.type === 'AssignmentExpression' && node['operator'] === '=') {
    const left = nodeAt(node, 'left')
    const right = nodeAt(node, 'right')
    if (left?.type !== 'MemberExpression' || right === undefined) return
    const property = nodeAt(left, 'property')
    if (isExports(left)) {
      if (!isNothing(right)) whole.push(right)
    } else if (isExports(nodeAt(left, 'object')))
      keep(exported, left['computed'] === true ? property?.['value'] : property?.['name'], right)
    return
  }
  if (node.type !== 'CallExpression') return
  if (given.context !== undefined) readExportsOfContext(node, given.context, exported, whole)
  const [target, list, other] = nodesAt(node, 'arguments')
  // `exportStar(require(71), exports)`, and `Object.defineProperty(exports, key, …)` for each key.
  if (isExports(list) ? target?.type === 'CallExpression' : isExports(target) && list?.type === 'Identifier')
    one.isOpen = true
  if (!isExports(target)) return
  const described = other?.type === 'ObjectExpression' ? new Map(fieldsOf(other)) : undefined
  if (list?.type === 'ObjectExpression') {
    for (const [name, value] of fieldsOf(list)) keep(exported, name, givenBy(value))
    // Rspack gives values besides.
    for (const [name, value] of described ?? []) keep(exported, name, value)
  } else if (described === undefined) keep(exported, list?.['value'], givenBy(other ?? undefined))
  // `Object.defineProperty(exports, 'name', { get })`
  else keep(exported, list?.['value'], givenBy(described.get('get')) ?? described.get('value'))
}

/** `context.s(["name", 0, value, "other", () => value])`, and `context.v(value)`. */
function readExportsOfContext(node: Node, context: string, exported: Map<string, Node>, whole: Node[]): void {
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : undefined
  if (callee?.type !== 'MemberExpression' || nodeAt(callee, 'object')?.['name'] !== context) return
  const [given] = nodesAt(node, 'arguments')
  const method = nodeAt(callee, 'property')?.['name']
  if (method === 'v' && given != null) whole.push(given)
  if (method !== 's' || given?.type !== 'ArrayExpression') return
  const items = nodesAt(given, 'elements')
  for (let at = 0; at + 1 < items.length; at += 2) {
    const isValue = items[at + 1]?.type === 'Literal'
    const value = items[isValue ? at + 2 : at + 1] ?? undefined
    keep(exported, items[at]?.['value'], isValue ? value : givenBy(value))
    if (isValue) at += 1
  }
}

function* fieldsOf(list: Node): Generator<[name: unknown, value: Node | undefined]> {
  for (const property of nodesAt(list, 'properties')) {
    const key = property === null ? undefined : nodeAt(property, 'key')
    if (property !== null) yield [key?.['name'] ?? key?.['value'], nodeAt(property, 'value')]
  }
}

function keep(exported: Map<string, Node>, name: unknown, value: Node | undefined): void {
  if (typeof name === 'string' && /^[\w$]+$/.test(name) && value !== undefined && !isNothing(value))
    exported.set(name, value)
}

/** `exports.name = exports.other = void 0` comes before the values. */
function isNothing(node: Node): boolean {
  const { type, name, operator } = node
  if (type === 'AssignmentExpression') return isNothing(nodeAt(node, 'right') ?? node)
  return type === 'Identifier' ? name === 'undefined' : type === 'UnaryExpression' && operator === 'void'
}

/** The expression that a getter gives. */
function givenBy(getter: Node | undefined): Node | undefined {
  const body = getter === undefined ? undefined : nodeAt(getter, 'body')
  if (body?.type !== 'BlockStatement') return body
  const [only] = nodesAt(body, 'body')
  return only?.type === 'ReturnStatement' ? nodeAt(only, 'argument') : undefined
}

/** The modules of all chunks of a program, by their ids; of two with one id, the first. */
export type ModulesById = ReadonlyMap<
  string,
  {
    readonly name: string
    readonly module: ChunkModule
    /** The names of its exports, with the literals that some of them are. */
    readonly names: Map<string, Node | null>
    /** The module that it loads, where it is only there to do so. */
    readonly loads: string | undefined
    /** The variables of exports that it hands on, by their names. */
    readonly handedOn: Map<string, string>
  }
>

export function modulesById(chunks: readonly (Chunk | null)[]): ModulesById {
  const byId = new Map<string, NonNullable<ReturnType<ModulesById['get']>>>()
  for (const chunk of chunks)
    for (const module of chunk?.modules ?? []) {
      const { id, body, exported, whole } = module
      if (byId.has(id)) continue
      const names = new Map<string, Node | null>(whole.length > 0 ? [['', null]] : [])
      for (const [name, value] of exported) names.set(name, literalOf(value, body))
      byId.set(id, {
        name: `linked$m${byId.size}$`,
        module,
        names,
        loads: exported.size === 0 ? loadedBy(whole) : undefined,
        handedOn: new Map(),
      })
    }
  for (let pass = 0; pass < deepestStars; pass++) for (const chunk of chunks) handOn(chunk, byId)
  return byId
}

/** Modules that hand on what others hand on. */
const deepestStars = 3

function handOn(chunk: Chunk | null, byId: ModulesById): void {
  for (const { id, body, isOpen } of chunk?.modules ?? []) {
    const own = isOpen ? byId.get(id) : undefined
    if (own === undefined) continue
    for (const { node, id: asked } of chunk?.calls ?? []) {
      const other = node.start > body.start && node.end < body.end ? byId.get(asked) : undefined
      for (const [name, literal] of other?.names ?? []) {
        if (/^(?:|default|__esModule)$/.test(name) || own.names.has(name)) continue
        own.names.set(name, literal)
        own.handedOn.set(name, `${other?.name}${name}`)
      }
    }
  }
}

/** `load => Promise.all(chunks).then(() => load(71))` */
function loadedBy(whole: readonly Node[]): string | undefined {
  let id: string | undefined
  for (const load of whole)
    if (/Function/.test(load.type)) {
      const name = nodesAt(load, 'params')[0]?.['name']
      walk(load, (node) => {
        const called = node.type === 'CallExpression' ? nodeAt(node, 'callee')?.['name'] : undefined
        if (called !== undefined && called === name) id = String(nodesAt(node, 'arguments')[0]?.['value'])
      })
    }
  return id
}

/** The literal that an export is, also by the name of a constant of its module. */
function literalOf(value: Node, body: Node): Node | null {
  if (value.type === 'Literal') return value
  if (value.type !== 'Identifier') return null
  for (const statement of nodesAt(body, 'body'))
    for (const declared of statement === null ? [] : nodesAt(statement, 'declarations')) {
      const [id, init] = declared === null ? [] : [nodeAt(declared, 'id'), nodeAt(declared, 'init')]
      if (id?.['name'] === value['name'] && init?.type === 'Literal') return init
    }
  return null
}

/** Declares the variables of the exports. Those that are literals have them at once, whatever runs. */
export function headOfModules(byId: ModulesById): string {
  const own = (name: string, literal: Node | null) =>
    typeof literal?.['value'] === 'string' ? `${name}=${JSON.stringify(literal['value'])}` : name
  return [...byId.values()]
    .map(({ name, names }) => {
      const variables = Array.from(names, ([one, literal]) => own(name + one, literal))
      return `var ${[...variables, `${name}$done`].join()};\n`
    })
    .join('')
}

/** Exports that are no longer than a name are written down once more. */
const longestName = 40
/** A copy of a function lacks its properties, and an assignment may be within a function: both stay where they are. */
const isMade = /Function|Assignment/

/** The body of a module that is written as a function of the whole, and what is before it. */
export interface MovedBody {
  readonly body: Node
  readonly head: string
}

/** Modules run when they are first required: each is a function that runs once. */
export function movedBodies({ modules }: Chunk, byId: ModulesById): MovedBody[] {
  return modules.flatMap((module) => {
    const own = byId.get(module.id)
    if (own?.module !== module) return []
    return [{ body: module.body, head: `${runOnce(own.name)}var ${declarationsOf(module).join()};` }]
  })
}

/** Declares the parameters of a module; its exports are an object that it may read, too. */
function declarationsOf({ names, given }: ChunkModule): string[] {
  const others = names.filter((name) => name !== '' && name !== given.module && name !== given.exports)
  const module = given.module === undefined ? [] : [`${given.module}={exports:{}}`]
  const from = given.module === undefined ? '{}' : `${given.module}.exports`
  const exported = given.exports === undefined ? [] : [`${given.exports}=${from}`]
  return [...module, ...exported, ...others]
}

/** The head of a function that another one runs once. */
export function runOnce(name: string, kind: '' | 'async ' = ''): string {
  return `function ${name}$run(){if(!${name}$done){${name}$done=true;${name}$body()}}${kind}function ${name}$body(){`
}

/** Gives exports of a chunk's modules variables, and the calls that require a module these. */
export function editsOfChunk({ modules, calls, loads }: Chunk, byId: ModulesById, text: string): Edit[] {
  const edits: Edit[] = []
  const inPlaceOf = ({ id, kind }: ModuleCall) => {
    const module = byId.get(kind === 'promise' ? (byId.get(id)?.loads ?? id) : id)
    return module === undefined ? null : givenFor(kind, module)
  }
  const written = (start: number, end: number) => {
    const inside = calls.find(({ node }) => node.start >= start && node.end <= end)
    const given = inside === undefined ? null : inPlaceOf(inside)
    if (inside === undefined || given === null) return text.slice(start, end)
    return text.slice(start, inside.node.start) + given + text.slice(inside.node.end, end)
  }
  for (const module of modules) {
    const { body, exported, whole } = module
    const own = byId.get(module.id)
    if (own?.module !== module) continue
    const { name, names } = own
    const last = Array.from(own.handedOn, ([other, from]) => `${own.name}${other}=${from};`)
    for (const [other, { type, start, end }] of [...exported, ...whole.map((value) => ['', value] as const)])
      if (names.get(other) != null) continue
      else if (end - start <= longestName && !(other === '' && isMade.test(type)))
        last.push(`${name}${other}=${written(start, end)};`)
      else edits.push({ start, end: start, text: `${name}${other}=` })
    if (last.length > 0) edits.push({ start: body.end - 1, end: body.end - 1, text: `;${last.join('')}` })
  }
  for (const { start, end } of loads) edits.push({ start, end, text: 'Promise.resolve()' })
  for (const call of calls) {
    const given = inPlaceOf(call)
    if (given !== null) edits.push({ start: call.node.start, end: call.node.end, text: given })
  }
  return edits
}

function givenFor(kind: ModuleCall['kind'], { name, names }: NonNullable<ReturnType<ModulesById['get']>>) {
  const all = Array.from(names.keys(), (own) => `"${own}":${name}${own}`).join()
  const isDefault = kind === 'default' && names.has('default')
  const value = names.has('') ? name : isDefault ? `${name}default` : `({${all}})`
  const given = `(${name}$run(),${value})`
  return { module: given, default: given, function: `(()=>${given})`, promise: `Promise.resolve(${given})` }[
    kind
  ]
}

/** Looks at every node; without recursion, since trees may be deep. */
export function walk(tree: Node, visit: (node: Node) => void): void {
  const stack = [tree]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    visit(node)
    for (const field in node) {
      const value = node[field]
      if (Array.isArray(value)) {
        for (const child of value as readonly unknown[]) if (isNode(child)) stack.push(child)
      } else if (isNode(value)) stack.push(value)
    }
  }
}
