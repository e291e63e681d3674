import { withEvalsInlined } from '../parse/inline-evals.ts'
import { treeOf } from '../parse/parse-script.ts'
import { type Node, nodeAt, nodesAt } from '../parse/scope.ts'
import {
  type Chunk,
  type Edit,
  editsOfChunk,
  hasModules,
  headOfModules,
  type ModulesById,
  modulesById,
  movedBodies,
  readChunk,
  runOnce,
  walk,
} from './chunk-modules.ts'
import type { LinkedScript } from './script-links.ts'
import {
  editsOfSystem,
  exportsOfSystem,
  type SystemModule,
  startOfSystem,
  systemModuleIn,
} from './system-modules.ts'

/** Scripts as one, whose modules have each other's exports. */
export interface JoinedScripts {
  readonly tree: Node
  readonly source: string
  /** The script that a place of the tree is in, by its index, and the place in that script. */
  placeOf(start: number): { readonly index: number; readonly place: number }
}

interface Parsed {
  readonly text: string
  readonly body: readonly (Node | null)[]
  readonly calls: readonly Node[]
  /** Where a script of CommonJS has `exports` or `module.exports`. */
  readonly owned: readonly Node[]
  readonly kind: 'module' | 'commonjs' | 'script'
  /** Its modules, where it is a chunk with functions as modules. */
  readonly chunk: Chunk | null
  /** The call that registers it for SystemJS. */
  readonly system: SystemModule | null
  /** Names that it gives SystemJS; those of texts are there whatever runs. */
  readonly given: ReadonlyMap<string, string | undefined> | null
  /** Names of exports, and what each is in the module; modules whose exports are all exported. */
  readonly exported: Set<string>
  readonly resolve: LinkedScript['resolve']
}

/** Exports are written down wherever all of them are imported: so many times the size of the scripts is room for that. */
const longestOfSize = 8
const leastRoom = 64 * 1024

interface Joining {
  readonly parsed: readonly (Parsed | null)[]
  /** The exports of each script as one object. */
  readonly namespaces: readonly string[]
  readonly byId: ModulesById
}

/**
 * Writes linked scripts as one: each module is a function, its exports are variables of the whole, and what it imports are
 * names for these. `null` where the result does not parse, or is too long.
 */
export function joinScripts(scripts: readonly LinkedScript[]): JoinedScripts | null {
  const parsed = scripts.map(parsedOf)
  for (let round = 0; round < parsed.length && parsed.some((one) => exportsAll(one, parsed)); round++);
  const byId = modulesById(parsed.map((one) => one?.chunk ?? null))
  const namespaces = parsed.map(namespaceOf)
  const most = leastRoom + longestOfSize * scripts.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const pieces: string[] = []
  const places: { readonly made: number; readonly index: number; readonly place: number }[] = []
  let made = 0
  const add = (text: string, index: number, place: number) => {
    places.push({ made, index, place })
    pieces.push(text)
    made += text.length
  }
  add(headOfModules(byId), 0, 0)
  if (parsed.some((one) => one !== null && one.system !== null)) add(startOfSystem, 0, 0)
  for (const [index, one] of parsed.entries()) if (one !== null) add(headOf(one, index), index, 0)
  for (const [index, one] of parsed.entries()) {
    if (one === null) continue
    const { text, chunk } = one
    const edits = editsOf(one, index, { parsed, namespaces, byId })
    const write = (begin: number, end: number, own: readonly Edit[]) => {
      let from = begin
      for (const edit of own) {
        // Inside another edit, or elsewhere.
        if (edit.start < from || edit.end > end) continue
        add(text.slice(from, edit.start), index, from)
        add(edit.text, index, edit.start)
        from = edit.end
        if (made > most) return
      }
      add(text.slice(from, end), index, from)
    }
    const moved = chunk === null ? [] : movedBodies(chunk, byId)
    for (const { body, head } of moved) {
      add(head, index, body.start)
      write(body.start + 1, body.end - 1, edits)
      add('\n}\n', index, body.end)
    }
    const [before, after] = aroundOf(one, index)
    add(before, index, 0)
    const emptied = moved.map(({ body: { start, end } }) => ({ start, end, text: '{}' }))
    write(
      0,
      text.length,
      [...emptied, ...edits].sort((a, b) => a.start - b.start),
    )
    add(after, index, text.length)
  }
  for (const [index, one] of parsed.entries())
    if (one !== null && one.kind !== 'script') add(`${variable(index, '')}$run();\n`, index, 0)
  if (made > most) return null
  const source = pieces.join('')
  const tree = treeOf(source)
  if (tree === null) return null
  return {
    tree,
    source,
    placeOf(start) {
      let low = 0
      for (let high = places.length; low < high; ) {
        const middle = (low + high) >>> 1
        if ((places[middle]?.made ?? 0) <= start) low = middle + 1
        else high = middle
      }
      const { made: from = 0, index = 0, place = 0 } = places[Math.max(0, low - 1)] ?? {}
      return { index, place: place + start - from }
    },
  }
}

function parsedOf({ bytes, resolve }: LinkedScript): Parsed | null {
  const own = bytes.toString('utf8')
  const inlined = withEvalsInlined(own)
  const whole = inlined === null ? null : treeOf(inlined)
  const text = whole === null ? own : (inlined ?? own)
  const tree = whole ?? treeOf(own)
  if (tree === null) return null
  const body = nodesAt(tree, 'body')
  const isModule = body.some((node) => /^(?:Import|Export)\w*Declaration$/.test(node?.type ?? ''))
  const calls = /\bimport\s*\(|\brequire\s*\(/.test(text) ? importingCalls(tree) : []
  const isCommon = calls.some((call) => call.type === 'CallExpression' && sourceOf(call, resolve) !== -1)
  const system = systemModuleIn(tree, text)
  const isChunk = !isModule && !isCommon && system === null && hasModules(text)
  const isExporting = !isChunk && /\bmodule\.exports\b|\bexports\.\w/.test(text)
  const kind = isModule || system !== null ? 'module' : isCommon || isExporting ? 'commonjs' : 'script'
  const chunk = isChunk ? readChunk(tree, text) : null
  const owned = kind === 'commonjs' ? ownExports(tree) : []
  const given = system === null ? null : exportsOfSystem(system)
  const exported = new Set(given?.keys() ?? exportedIn(body))
  return { text, body, calls, owned, kind, chunk, system, given, exported, resolve }
}

/** Finds calls of `import` and `require`. */
function importingCalls(tree: Node): Node[] {
  const calls: Node[] = []
  walk(tree, (node) => {
    const isRequire = node.type === 'CallExpression' && nodeAt(node, 'callee')?.['name'] === 'require'
    if (isRequire || node.type === 'ImportExpression') calls.push(node)
  })
  return calls
}

function ownExports(tree: Node): Node[] {
  const owned: Node[] = []
  walk(tree, (node) => {
    const object = node.type === 'MemberExpression' ? nodeAt(node, 'object') : undefined
    if (object?.['name'] === 'module' && nodeAt(node, 'property')?.['name'] === 'exports') owned.push(node)
    for (const used of object === undefined ? nodesAt(node, 'arguments') : [object])
      if (used?.type === 'Identifier' && used['name'] === 'exports') owned.push(used)
  })
  return owned
}

function* exportedIn(body: readonly (Node | null)[]): Generator<string> {
  for (const node of body) {
    if (node?.type === 'ExportDefaultDeclaration') yield 'default'
    if (node?.type === 'ExportAllDeclaration') {
      const name = nameAt(node, 'exported')
      if (name !== null) yield name
    }
    if (node?.type !== 'ExportNamedDeclaration') continue
    for (const specifier of nodesAt(node, 'specifiers')) {
      const name = specifier === null ? null : nameAt(specifier, 'exported')
      if (name !== null) yield name
    }
    yield* declaredIn(nodeAt(node, 'declaration'))
  }
}

/** The names of a declaration, but those in patterns. */
function declaredIn(declaration: Node | undefined): string[] {
  if (declaration === undefined) return []
  const named =
    declaration.type === 'VariableDeclaration' ? nodesAt(declaration, 'declarations') : [declaration]
  return named.flatMap((one) => (one === null ? [] : (nameAt(one, 'id') ?? [])))
}

/** A name that may be a part of another one. */
function nameAt(node: Node, field: string): string | null {
  const named = nodeAt(node, field)
  const name = String(named?.['name'] ?? named?.['value'] ?? '')
  return /^[\w$]+$/.test(name) ? name : null
}

/** Adds what a module exports from others as a whole. @returns whether that was anything new */
function exportsAll(one: Parsed | null, parsed: readonly (Parsed | null)[]): boolean {
  if (one === null) return false
  const before = one.exported.size
  for (const node of one.body) {
    if (node?.type !== 'ExportAllDeclaration' || nodeAt(node, 'exported') !== undefined) continue
    for (const name of parsed[sourceOf(node, one.resolve)]?.exported ?? [])
      if (name !== 'default') one.exported.add(name)
  }
  return one.exported.size > before
}

/** The index of the script that a declaration or a call imports; -1 for any other. */
function sourceOf(node: Node, resolve: Parsed['resolve']): number {
  const source = nodeAt(node, 'source') ?? nodesAt(node, 'arguments')[0] ?? undefined
  const [only, ...more] = source?.type === 'TemplateLiteral' ? nodesAt(source, 'quasis') : []
  const cooked = only == null || more.length > 0 ? undefined : (only['value'] as { cooked?: unknown }).cooked
  const specifier = cooked ?? source?.['value']
  return typeof specifier === 'string' ? resolve(specifier) : -1
}

const variable = (index: number, name: string) => `linked$${index}$${name}`

/** The variables of a module's exports. */
function headOf({ kind, exported, given }: Parsed, index: number): string {
  if (kind === 'script') return ''
  const own = kind === 'commonjs' ? [`${variable(index, '')}={}`] : []
  const names = [...exported, '$done'].map((name) => {
    const text = given?.get(name)
    return variable(index, name) + (text === undefined ? '' : `=${JSON.stringify(text)}`)
  })
  return `var ${[...own, ...names].join()};\n`
}

function aroundOf({ kind, text }: Parsed, index: number): [before: string, after: string] {
  if (kind === 'script') return ['', '\n;\n']
  const isAsync = kind === 'module' && text.includes('await')
  return [runOnce(variable(index, ''), isAsync ? 'async ' : ''), '\n}\n']
}

/** All exports of a script as an object. */
function namespaceOf(one: Parsed | null, index: number): string {
  if (one === null || one.kind === 'script') return '({})'
  const names = Array.from(one.exported, (name) => `"${name}":${variable(index, name)}`)
  return after(index, one.kind === 'commonjs' ? variable(index, '') : `({${names.join()}})`)
}

/** A value of a script that has run. */
function after(index: number, value: string): string {
  return `(${variable(index, '')}$run(),${value})`
}

function editsOf(one: Parsed, index: number, joining: Joining): Edit[] {
  const edits = one.chunk === null ? [] : editsOfChunk(one.chunk, joining.byId, one.text)
  for (const call of one.calls) {
    const source = sourceOf(call, one.resolve)
    if (source === -1) continue
    const exports = joining.namespaces[source] ?? '({})'
    const text = call.type === 'ImportExpression' ? `Promise.resolve(${exports})` : exports
    edits.push({ start: call.start, end: call.end, text })
  }
  if (one.system !== null) {
    const own = (name: string) => variable(index, name)
    const of = (name: string | undefined) =>
      name === undefined ? null : (joining.namespaces[one.resolve(name)] ?? null)
    edits.push(...editsOfSystem(one.system, { own, of }))
  }
  for (const { start, end } of one.owned) edits.push({ start, end, text: variable(index, '') })
  for (const node of one.body) if (node !== null) edits.push(...editsOfStatement(node, one, index, joining))
  return edits.sort((a, b) => a.start - b.start)
}

function editsOfStatement(node: Node, one: Parsed, index: number, { parsed, namespaces }: Joining): Edit[] {
  const { start, end } = node
  const source = sourceOf(node, one.resolve)
  const from = (name: string) => {
    const other = parsed[source]
    if (other == null) return null
    if (other.kind === 'commonjs')
      return after(source, `${variable(source, '')}${name === 'default' ? '' : `.${name}`}`)
    return other.exported.has(name) ? after(source, variable(source, name)) : null
  }
  const assigned = (name: string | null, value: string | null) =>
    name === null || value === null ? '' : `${variable(index, name)}=${value};`
  switch (node.type) {
    case 'ImportDeclaration': {
      const names = nodesAt(node, 'specifiers').flatMap((specifier) => {
        const local = specifier === null ? null : nameAt(specifier, 'local')
        if (specifier === null || local === null || source === -1) return []
        if (specifier.type === 'ImportNamespaceSpecifier') return [`var ${local}=${namespaces[source]};`]
        const name = specifier.type === 'ImportDefaultSpecifier' ? 'default' : nameAt(specifier, 'imported')
        const value = name === null ? null : from(name)
        return value === null ? [] : [`var ${local}=${value};`]
      })
      return [{ start, end, text: names.join('') }]
    }
    case 'ExportAllDeclaration': {
      const name = nameAt(node, 'exported')
      if (source === -1) return [{ start, end, text: '' }]
      if (name !== null) return [{ start, end, text: assigned(name, namespaces[source] ?? null) }]
      const names = [...(parsed[source]?.exported ?? [])].filter((other) => other !== 'default')
      return [{ start, end, text: names.map((other) => assigned(other, from(other))).join('') }]
    }
    case 'ExportDefaultDeclaration': {
      const declaration = nodeAt(node, 'declaration')
      const name = declaration === undefined ? null : nameAt(declaration, 'id')
      if (declaration === undefined) return []
      const isNamed = name !== null && /Declaration$/.test(declaration.type)
      const head = isNamed ? '' : `${variable(index, 'default')}=`
      return [
        { start, end: declaration.start, text: head },
        { start: end, end, text: isNamed ? `;${assigned('default', name)}` : ';' },
      ]
    }
    case 'ExportNamedDeclaration': {
      const declaration = nodeAt(node, 'declaration')
      if (declaration !== undefined)
        return [
          { start, end: declaration.start, text: '' },
          {
            start: end,
            end,
            text: `;${declaredIn(declaration)
              .map((name) => assigned(name, name))
              .join('')}`,
          },
        ]
      const isFrom = nodeAt(node, 'source') !== undefined
      const values = nodesAt(node, 'specifiers').map((specifier) => {
        const local = specifier === null ? null : nameAt(specifier, 'local')
        if (specifier === null || local === null) return ''
        return assigned(nameAt(specifier, 'exported'), isFrom ? from(local) : local)
      })
      return [{ start, end, text: values.join('') }]
    }
    default:
      return []
  }
}
