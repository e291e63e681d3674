import { OverEffort, ofScript, partOf, pay } from '../model/effort.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { type ClassFile, readClassFile } from './class-file.ts'
import { signsIn } from './fold-class.ts'
import { inherited } from './inherited.ts'
import { methodOf } from './jvm.ts'
import { createMachine, type Made } from './machine.ts'
import { mayTell, reportMade } from './report.ts'
import type { Method } from './step.ts'
import { keyOf } from './value.ts'
import { hasPieceIn, signsOf } from './worth.ts'

/** A class file of an archive. */
export interface ClassBytes {
  readonly location: string
  readonly bytes: Buffer
}

interface Loaded extends ClassBytes {
  readonly file: ClassFile
  readonly methods: ReadonlyMap<string, Method>
  /** The signs of its texts. */
  readonly signs: ReadonlyMap<string, number>
}

/** Rounds in which methods pass on what others give them. */
const mostRounds = 3
const mostClasses = 400
/** In steps: a longer method does more than to give a part of a key, or to give one on. */
const longestGiver = 200
const longestOnGiver = 12

/**
 * Reports the keys that methods of several classes put together: a class with a piece, those that use it, and those that it
 * uses. One class alone was read before.
 */
export function foldClasses(audit: ScanContext, location: string, classes: readonly ClassBytes[]): void {
  const size = classes.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const own = partOf(audit.effort, ofScript(size))
  const made: { readonly owner: string; readonly one: Made }[] = []
  const byName = new Map<string, Loaded>()
  try {
    for (const one of nearPieces({ ...audit, effort: own }, classes)) byName.set(one.file.name, one)
    const machine = createMachine(programOf(byName), own, (one, owner) => {
      if (mayTell(one.text, audit.prefix)) made.push({ one, owner })
    })
    for (const method of worthIn(byName)) machine.explore(method)
  } catch (error) {
    if (!(error instanceof OverEffort && error.effort === own)) throw error
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

/** Reads the classes with a piece, those whose constants name one of them, and those that these name. */
function nearPieces({ effort, prefix, archive }: ScanContext, classes: readonly ClassBytes[]): Loaded[] {
  const files = classes.flatMap((one) => {
    pay(effort, one.bytes.length)
    const file = fileOrNull(one.bytes)
    return file === null ? [] : [{ ...one, file, isPiece: archive?.pieces.has(one.location) === true }]
  })
  const near = new Set(files.filter(({ isPiece }) => isPiece))
  const pieces = new Set([...near].map(({ file }) => file.name))
  for (const one of files) if (one.file.classes().some((name) => pieces.has(name))) near.add(one)
  const used = new Set([...near].flatMap(({ file }) => file.classes()))
  for (const one of files) if (used.has(one.file.name)) near.add(one)
  const known = [...near].slice(0, mostClasses)
  const signs = signsTogether(known, prefix)
  return known.map((one, index) => {
    const methods = one.file.methods.map((code) => methodOf(one.file, code))
    return {
      ...one,
      signs: signs[index] ?? new Map(),
      methods: new Map(methods.map((method) => [keyOf(method), method])),
    }
  })
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
    constants: (owner: string) => byName.get(owner)?.file.constants ?? [],
  }
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
  const worth = new Set<Method>()
  const methods = [...byName.values()].flatMap((one) => [...one.methods.values()])
  for (const { file, methods: own, signs } of byName.values()) {
    for (const [field, value] of file.constants)
      if (typeof value === 'string' && hasPieceIn(signs.get(value) ?? 0)) fields.add(field)
    for (const [key, method] of own) {
      const isFilled = method.steps().filter(({ kind }) => kind === 'store').length >= leastFilled
      if (!isFilled && !signsIn(method, signs).hasPiece()) continue
      worth.add(method)
      if (!isFilled && method.steps().length > longestGiver) continue
      givers.add(key)
      for (const step of method.steps()) if (step.kind === 'put field') fields.add(keyOf(step.field))
    }
  }
  for (let round = 0; round < mostRounds; round++) {
    const before = givers.size
    for (const method of methods) {
      if (!uses(byName, method, givers, fields)) continue
      worth.add(method)
      if (method.steps().length <= longestOnGiver || method.name.startsWith('<')) givers.add(keyOf(method))
    }
    if (givers.size === before) break
  }
  return [...worth].sort(
    (one, other) => Number(other.name.startsWith('<')) - Number(one.name.startsWith('<')),
  )
}

/** Numbers that an array is filled with. */
const leastFilled = 14

function uses(
  byName: ReadonlyMap<string, Loaded>,
  method: Method,
  givers: ReadonlySet<string>,
  fields: ReadonlySet<string>,
): boolean {
  return method.steps().some((step) => {
    if (step.kind === 'get field') return fields.has(keyOf(step.field))
    if (step.kind !== 'invoke' && step.kind !== 'lambda') return false
    const target = methodIn(byName, keyOf(step.method))
    return target !== undefined && givers.has(keyOf(target))
  })
}
