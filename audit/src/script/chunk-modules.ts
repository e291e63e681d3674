import { isNode, type Node, nodeAt, nodesAt } from './scope.ts'

/** A replacement in the text of a script. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A module that is a function in a chunk: `71: (module, exports, require) => { … }`, or in Turbopack `71, context => { … }`. */
interface ChunkModule {
  readonly id: string
  readonly body: Node
  readonly names: readonly string[]
  /** Its exports: expressions, by their names. */
  readonly exported: Map<string, Node>
  /** Has all that a module is given, where that is one object. */
  readonly context: string | undefined
  /** Values given to `module.exports`. */
  readonly whole: Node[]
}

/** A call that requires a module, gives a function that does, or loads its chunk first. */
interface ModuleCall {
  readonly node: Node
  readonly id: string
  readonly kind: 'module' | 'function' | 'promise'
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

/** Says whether a script begins by adding to such a list, which another script reads. */
export function addsToList(text: string): boolean {
  return /\)\s*\.push\s*\(\s*\[/.test(text.slice(0, 400))
}

export function readChunk(tree: Node): Chunk {
  const modules: ChunkModule[] = []
  const loaders = new Set<string>()
  walk(tree, (node) => {
    if (node.type === 'Property' && node['computed'] !== true) {
      const key = nodeAt(node, 'key')
      add(modules, String(key?.['value'] ?? key?.['name'] ?? ''), nodeAt(node, 'value'))
    } else if (node.type === 'ArrayExpression') {
      const items = nodesAt(node, 'elements')
      if (items.every((item) => item === null || /Function/.test(item.type)))
        for (const [index, item] of items.entries()) add(modules, String(index), item ?? undefined)
      else
        for (const [index, item] of items.entries()) {
          const id = items[index - 1]
          if (id?.type === 'Literal' && item !== null) add(modules, String(id['value']), item, true)
        }
    } else if (node.type === 'AssignmentExpression') {
      // `load.m = modules`
      const left = nodeAt(node, 'left')
      const object = left?.type === 'MemberExpression' ? nodeAt(left, 'object') : undefined
      if (object?.type === 'Identifier' && left !== undefined && nodeAt(left, 'property')?.['name'] === 'm')
        loaders.add(String(object['name']))
    }
  })
  const contexts = new Set(modules.map(({ context }) => context))
  for (const { names } of modules) if (names[2] !== undefined) loaders.add(names[2])
  for (const one of modules) walk(one.body, (node) => readExports(node, one))
  const calls: Chunk['calls'][number][] = []
  const loads: Node[] = []
  walk(tree, (node) => {
    if (node.type !== 'CallExpression') return
    const callee = nodeAt(node, 'callee')
    const method = callee?.type === 'MemberExpression' ? nodeAt(callee, 'property')?.['name'] : undefined
    const name = String((method === undefined ? callee : nodeAt(callee as Node, 'object'))?.['name'])
    const id = nodesAt(node, 'arguments').at(method === 'bind' ? 1 : 0)?.['value']
    const isId = typeof id === 'string' || typeof id === 'number'
    const call = (kind: ModuleCall['kind']) => calls.push({ node, id: String(id), kind })
    if (contexts.has(name) && isId && /^[irA]$/.test(String(method)))
      call(method === 'A' ? 'promise' : 'module')
    else if (!loaders.has(name)) return
    else if (method === 'e') loads.push(node)
    else if (isId && (method === undefined || method === 'bind'))
      call(method === 'bind' ? 'function' : 'module')
  })
  return { modules, calls, loads }
}

const mostParameters = 3

function add(modules: ChunkModule[], id: string, factory: Node | undefined, hasContext = false): void {
  if (factory === undefined || !/Function/.test(factory.type) || id === '') return
  const body = nodeAt(factory, 'body')
  const names = nodesAt(factory, 'params').map((param) => String(param?.['name'] ?? ''))
  if (body?.type !== 'BlockStatement' || names.length === 0 || names.length > mostParameters) return
  const context = hasContext && names.length === 1 ? names[0] : undefined
  modules.push({ id, body, names, context, exported: new Map(), whole: [] })
}

function readExports(node: Node, { names, context, exported, whole }: ChunkModule): void {
  if (context !== undefined) {
    readExportsOfContext(node, context, exported, whole)
    return
  }
  const [module, exports, load] = names
  const isNamed = (one: Node | null | undefined, name: string | undefined) =>
    one?.type === 'Identifier' && name !== undefined && one['name'] === name
  if (node.type === 'AssignmentExpression' && node['operator'] === '=') {
    const left = nodeAt(node, 'left')
    const [object, property] = left === undefined ? [] : [nodeAt(left, 'object'), nodeAt(left, 'property')]
    const right = nodeAt(node, 'right')
    if (left?.type !== 'MemberExpression' || left['computed'] === true || right === undefined) return
    if (isNamed(object, module) && property?.['name'] === 'exports') whole.push(right)
    else if (isNamed(object, exports)) keep(exported, property?.['name'], right)
    return
  }
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : undefined
  if (callee?.type !== 'MemberExpression' || !isNamed(nodeAt(callee, 'object'), load)) return
  const [target, list, other] = nodesAt(node, 'arguments')
  if (nodeAt(callee, 'property')?.['name'] !== 'd' || !isNamed(target, exports)) return
  if (list?.type !== 'ObjectExpression') keep(exported, list?.['value'], givenBy(other ?? undefined))
  else for (const [name, value] of fieldsOf(list)) keep(exported, name, givenBy(value))
  // Rspack gives values besides.
  if (other?.type === 'ObjectExpression')
    for (const [name, value] of fieldsOf(other)) keep(exported, name, value)
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
  if (typeof name === 'string' && /^[\w$]+$/.test(name) && value !== undefined) exported.set(name, value)
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
    /** The names of its exports, with the literals that some of them are. */
    readonly names: ReadonlyMap<string, Node | null>
    /** The module that it loads, where it is only there to do so. */
    readonly loads: string | undefined
  }
>

export function modulesById(chunks: readonly (Chunk | null)[]): ModulesById {
  const byId = new Map<string, NonNullable<ReturnType<ModulesById['get']>>>()
  for (const chunk of chunks)
    for (const { id, body, exported, whole } of chunk?.modules ?? []) {
      if (byId.has(id) || exported.size + whole.length === 0) continue
      const names = new Map<string, Node | null>(whole.length > 0 ? [['', null]] : [])
      for (const [name, value] of exported) names.set(name, literalOf(value, body))
      byId.set(id, {
        name: `linked$m${byId.size}$`,
        names,
        loads: exported.size === 0 ? loadedBy(whole) : undefined,
      })
    }
  return byId
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
    .map(
      ({ name, names }) => `var ${Array.from(names, ([one, literal]) => own(name + one, literal)).join()};\n`,
    )
    .join('')
}

/** Exports that are no longer than a name are written down once more. */
const longestName = 40

/** Gives exports of a chunk's modules variables, and the calls that require a module these. */
export function editsOfChunk({ modules, calls, loads }: Chunk, byId: ModulesById, text: string): Edit[] {
  const edits: Edit[] = []
  for (const { id, body, exported, whole } of modules) {
    const { name, names } = byId.get(id) ?? {}
    if (name === undefined) continue
    const last: string[] = []
    for (const [own, { start, end }] of [...exported, ...whole.map((value) => ['', value] as const)])
      if (names?.get(own) != null) continue
      else if (end - start <= longestName) last.push(`${name}${own}=${text.slice(start, end)};`)
      else edits.push({ start, end: start, text: `${name}${own}=` })
    if (last.length > 0) edits.push({ start: body.end - 1, end: body.end - 1, text: `;${last.join('')}` })
  }
  for (const { start, end } of loads) edits.push({ start, end, text: 'Promise.resolve()' })
  const givenById = new Map<string, string>()
  for (const { node, id, kind } of calls) {
    const needed = kind === 'promise' ? (byId.get(id)?.loads ?? id) : id
    const module = byId.get(needed)
    if (module === undefined) continue
    const given = givenById.get(needed) ?? exportsOf(module)
    givenById.set(needed, given)
    const text = { module: given, function: `(()=>${given})`, promise: `Promise.resolve(${given})` }[kind]
    edits.push({ start: node.start, end: node.end, text })
  }
  return edits
}

/** The exports of a module: the value that it has given for all of them, or an object. */
function exportsOf({ name, names }: NonNullable<ReturnType<ModulesById['get']>>): string {
  return names.has('') ? name : `({${Array.from(names.keys(), (own) => `"${own}":${name}${own}`).join()}})`
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
