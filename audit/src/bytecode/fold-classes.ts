import { OverEffort, ofScript, partOf, pay } from '../model/effort.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { type ClassFile, readClassFile } from './class-file.ts'
import { callsOne, signsIn } from './fold-class.ts'
import { classesAbove, inherited, isFunction, keysAbove } from './inherited.ts'
import { methodOf } from './jvm.ts'
import { createMachine, type Made } from './machine.ts'
import { mayTell, reportMade } from './report.ts'
import type { Method } from './step.ts'
import { keyOf } from './value.ts'
import { hasPieceIn, signsOf } from './worth.ts'

export interface ClassEntry {
  readonly location: string
  /** Gives its bytes; `null` where they cannot be read. */
  read(): Buffer | null
}

interface Loaded {
  readonly location: string
  readonly file: ClassFile
  readonly methods: ReadonlyMap<string, Method>
  readonly signs: ReadonlyMap<string, number>
}

/** Rounds in which methods pass on what others give them. */
const mostRounds = 3
const mostClasses = 400
/** Names that every class is searched for. */
const mostNames = 32
/** Together they may cost as much as a script of so many bytes. */
const sizeOfProgram = 8 * 1024 * 1024
/** In steps: a longer method does more than to give a part of a key, or to give one on. */
const longestGiver = 200
const longestOnGiver = 12

/**
 * Reports the keys that methods of several classes put together: a class with a piece, those that use it, and those that it
 * uses. One class alone was read before.
 */
export function foldClasses(audit: ScanContext, location: string, classes: readonly ClassEntry[]): void {
  const own = partOf(audit.effort, ofScript(sizeOfProgram))
  const made: { readonly owner: string; readonly one: Made }[] = []
  const byName = new Map<string, Loaded>()
  try {
    for (const one of nearParts({ ...audit, effort: own }, classes)) byName.set(one.file.name, one)
    const machine = createMachine(programOf(byName), own, (one, owner) => {
      if (mayTell(one.text, audit.prefix)) made.push({ one, owner })
    })
    for (const method of worthIn(byName)) machine.explore(method)
  } catch (error) {
    if (!(error instanceof OverEffort && error.effort === own)) throw error
    // Without pieces that spell the prefix, the limit hides nothing.
    const hasPiece = [...byName.values()].some(({ signs }) => [...signs.values()].some(hasPieceIn))
    if (!hasPiece) return
    audit.collector.gap(
      'limit',
      location,
      'its classes are not completely folded together: they cost more than the limits allow',
    )
  } finally {
    const places = [...byName.values()].map((one) => one.location)
    for (const [owner, some] of Map.groupBy(made, (one) => one.owner)) {
      const isNew = ({ one }: (typeof some)[number]) =>
        !places.some((place) => audit.collector.has(place, one.text))
      const texts = some.filter(isNew).map(({ one }) => one)
      reportMade(audit, { location: byName.get(owner)?.location ?? location, format: 'class' }, texts)
    }
  }
}

/** Reads the classes with a part of a key, those that name one of them, and those that these name. */
function nearParts({ effort, prefix, archive }: ScanContext, classes: readonly ClassEntry[]): Loaded[] {
  const load = (one: ClassEntry, isNear: (bytes: Buffer) => boolean) => {
    const bytes = one.read()
    if (bytes === null) return []
    pay(effort, bytes.length)
    const file = isNear(bytes) ? fileOrNull(bytes) : null
    return file === null ? [] : [{ location: one.location, file }]
  }
  const hasPart = ({ location }: ClassEntry) => archive.parts.has(location)
  const parts = classes.filter(hasPart).flatMap((one) => load(one, () => true))
  const used = new Set(parts.flatMap(({ file }) => file.classes()))
  const names = parts.slice(0, mostNames).map(({ file }) => file.name)
  const near = [...parts]
  for (const one of classes) {
    if (near.length >= mostClasses) break
    if (hasPart(one)) continue
    const isUsed = namesOf(one.location).some((name) => used.has(name))
    near.push(...load(one, (bytes) => isUsed || names.some((name) => bytes.includes(name))))
  }
  // A class that uses a lambda with a piece has others with the rest.
  const read = new Set(near.map(({ location }) => location))
  const outer = new Set(near.map(({ location }) => outerOf(location)))
  for (const one of classes)
    if (near.length < mostClasses && !read.has(one.location) && outer.has(outerOf(one.location)))
      near.push(...load(one, () => true))
  const signs = signsTogether(near, prefix)
  return near.map((one, index) => {
    const methods = one.file.methods.map((code) => methodOf(one.file, code))
    return {
      ...one,
      signs: signs[index] ?? new Map(),
      methods: new Map(methods.map((method) => [keyOf(method), method])),
    }
  })
}

/** The place of a class, without the names of those inside it. */
function outerOf(location: string): string {
  const inner = location.indexOf('$', location.lastIndexOf('/') + 2)
  return inner === -1 ? location.replace('.class', '') : location.slice(0, inner)
}

/** Lists what the name of a class may be by its place: the folders before it may be those of the archive. */
function namesOf(location: string): string[] {
  const parts = location
    .slice(location.lastIndexOf('!') + 1)
    .replace(/\.class$/, '')
    .split('/')
  return parts.map((_, index) => parts.slice(index).join('/'))
}

function fileOrNull(bytes: Buffer): ClassFile | null {
  try {
    return readClassFile(bytes)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function programOf(byName: ReadonlyMap<string, Loaded>) {
  return {
    method: (key: string) => methodIn(byName, key),
    parents: (owner: string) => byName.get(owner)?.file.parents ?? [],
    constants: (owner: string) => byName.get(owner)?.file.constants ?? [],
  }
}

/** Gives the signs of the texts of each class, by the text: any class may have any part of a key. */
function signsTogether(
  classes: readonly { readonly file: ClassFile }[],
  prefix: string,
): Map<string, number>[] {
  const starts: number[] = []
  let size = 0
  for (const { file } of classes) {
    starts.push(size)
    size += file.bytes.length
  }
  const together = Buffer.concat(classes.map(({ file }) => file.bytes))
  const places = classes.flatMap(({ file }, index) =>
    file.texts.map(({ start, end }) => ({
      start: start + (starts[index] ?? 0),
      end: end + (starts[index] ?? 0),
    })),
  )
  const signs = signsOf(together, places, prefix)
  let at = 0
  return classes.map(({ file }) => {
    const own = new Map<string, number>()
    for (const { start, end } of file.texts)
      own.set(file.bytes.toString('utf8', start, end), signs[at++] ?? 0)
    return own
  })
}

/** Finds a method with code: of its class, or of one above it. */
function methodIn(byName: ReadonlyMap<string, Loaded>, key: string): Method | undefined {
  return inherited(
    key,
    (owner, own) => byName.get(owner)?.methods.get(own),
    (owner) => byName.get(owner)?.file.parents ?? [],
  )
}

/** Lists the methods that can make a key: first what fills fields, then what uses the results or fields of those with a piece. */
function worthIn(byName: ReadonlyMap<string, Loaded>): Method[] {
  const givers = new Set<string>()
  const fields = new Set<string>()
  const functions = new Set<string>()
  const worth = new Set<Method>()
  const decoders = new Set<string>()
  const parentsOf = (owner: string) => byName.get(owner)?.file.parents ?? []
  const masked: Method[] = []
  const methods = [...byName.values()].flatMap((one) => [...one.methods.values()])
  for (const { file, methods: own, signs } of byName.values()) {
    for (const [field, value] of file.constants)
      if (typeof value === 'string' && hasPieceIn(signs.get(value) ?? 0)) fields.add(field)
    for (const [key, method] of own) {
      const isFilled = method.steps().filter(({ kind }) => kind === 'store').length >= leastFilled
      const some = signsIn(method, signs)
      if (some.isDecoder(() => method.descriptor)) decoders.add(key)
      if (some.hasMasked()) masked.push(method)
      if (!isFilled && !some.hasPiece()) continue
      worth.add(method)
      if (!isFilled && method.steps().length > longestGiver) continue
      givers.add(key)
      if (!method.isStatic || method.name === '<clinit>')
        for (const above of keysAbove(key, parentsOf)) givers.add(above)
      if (!method.isStatic && isFunction(file.parents, own.size)) functions.add(file.name)
      addPut(method, fields)
    }
  }
  for (const method of masked) if (callsOne(method, decoders)) worth.add(method)
  for (let round = 0; round < mostRounds; round++) {
    const before = givers.size + fields.size
    for (const method of methods) {
      if (!uses(byName, method, { givers, fields, functions })) continue
      worth.add(method)
      if (method.steps().length > longestOnGiver && !method.name.startsWith('<')) continue
      givers.add(keyOf(method))
      if (method.name.startsWith('<')) addPut(method, fields)
      const owner = byName.get(method.owner)
      if (owner !== undefined && !method.isStatic && isFunction(owner.file.parents, owner.methods.size))
        functions.add(method.owner)
    }
    if (givers.size + fields.size === before) break
  }
  return [...worth].sort(
    (one, other) => Number(other.name.startsWith('<')) - Number(one.name.startsWith('<')),
  )
}

function addPut(method: Method, fields: Set<string>): void {
  for (const step of method.steps()) if (step.kind === 'put field') fields.add(keyOf(step.field))
}

/** Numbers that an array is filled with. */
const leastFilled = 14

function uses(
  byName: ReadonlyMap<string, Loaded>,
  method: Method,
  { givers, fields, functions }: Readonly<Record<'givers' | 'fields' | 'functions', ReadonlySet<string>>>,
): boolean {
  const parentsOf = (owner: string) => byName.get(owner)?.file.parents ?? []
  return method.steps().some((step) => {
    if (step.kind === 'new') return functions.has(step.type)
    if (step.kind === 'get field') {
      const { field } = step
      if (functions.has(field.owner) && field.descriptor === `L${field.owner};`) return true
      return [...classesAbove(field.owner, parentsOf)].some((owner) => fields.has(keyOf({ ...field, owner })))
    }
    if (step.kind !== 'invoke' && step.kind !== 'lambda') return false
    if (givers.has(keyOf(step.method))) return true
    const target = methodIn(byName, keyOf(step.method))
    return target !== undefined && givers.has(keyOf(target))
  })
}
