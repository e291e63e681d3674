import type { FormatFile } from '../formats/audited-format.ts'
import { pay } from '../model/effort.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { lengths, methodOf, payloadLength } from './dalvik.ts'
import { type DexClass, type DexFile, type DexMethod, readDexFile } from './dex-file.ts'
import { mayBeCodes } from './filled-arrays.ts'
import { type Code, foldCode } from './fold-code.ts'
import { inherited, keysAbove } from './inherited.ts'
import type { Program } from './machine.ts'
import type { Method } from './step.ts'
import { keyOf, memberOf, type Value } from './value.ts'
import { callSignsOf, createSigns, isOfPlatform, signsOf } from './worth.ts'

/** Reports the keys that the methods of a DEX file put together. */
export function foldDex(audit: ScanContext, file: FormatFile): void {
  foldCode(audit, file, (own) => codeOfDex(own, file.bytes))
}

/** @returns `null` where no method can make a key. @throws RangeError where the file does not parse */
function codeOfDex({ effort, prefix }: ScanContext, bytes: Buffer): Code | null {
  pay(effort, bytes.length)
  const file = readDexFile(bytes)
  const classes = file.classes()
  const worth = findWorth(file, classes, prefix)
  if (worth.size === 0) return null
  return { program: programOf(file, classes), methods: inOrder(file, worth) }
}

/** A method that can make a key begins with what fills the fields that it reads. */
function* inOrder(file: DexFile, worth: ReadonlySet<DexMethod>): Generator<Method> {
  const isConstructor = (one: DexMethod) => file.method(one.index).name.startsWith('<')
  for (const one of worth) if (isConstructor(one)) yield methodOf(file, one)
  for (const one of worth) if (!isConstructor(one)) yield methodOf(file, one)
}

/**
 * Finds the methods that can make a text with the prefix of constants, and those that use the results or the fields of
 * methods that load a piece of it.
 */
function findWorth(file: DexFile, classes: readonly DexClass[], prefix: string): Set<DexMethod> {
  const { bytes } = file
  const methods = classes.flatMap((one) => one.methods)
  const signs = signsIn(file, classes, methods, prefix)
  const callSigns = createCallSigns(file)
  const worth = new Set<DexMethod>()
  const decoders = new Set<number>()
  const masked: DexMethod[] = []
  const givers = new Set<number>()
  const fields = new Set<number>()
  const own = createSigns()
  for (const one of methods) {
    own.clear()
    let isCoded = false
    eachInstruction(bytes, one, (opcode, at) => {
      if (opcode === constString || opcode === constStringJumbo)
        own.text(signs[stringOf(bytes, opcode, at)] ?? 0)
      else if (isInvoke(opcode)) own.call(callSigns(bytes.readUInt16LE(at + 2)))
      else if (opcode === fillArray) {
        own.elements(leastFilled)
        isCoded ||= fillsWithCodes(bytes, at)
      } else if (isArrayPut(opcode)) own.elements(1)
    })
    if (own.isWorth()) worth.add(one)
    if (isCoded || own.hasMasked()) masked.push(one)
    if (own.isDecoder(() => file.method(one.index).descriptor)) decoders.add(one.index)
    if ((!own.hasPiece() && !isCoded) || one.end - one.start > longestGiver) continue
    givers.add(one.index)
    addPut(bytes, one, fields)
  }
  for (const one of masked)
    eachInstruction(bytes, one, (opcode, at) => {
      if (isInvoke(opcode) && decoders.has(bytes.readUInt16LE(at + 2))) worth.add(one)
    })
  for (const above of aboveIn(file, classes, givers)) givers.add(above)
  for (const { field, string } of classes.flatMap((one) => one.constants()))
    if (string !== null && ((signs[string] ?? 0) & 1) === 1) fields.add(field)
  if (givers.size + fields.size === 0) return worth
  // A short method that asks one that gives a part may give it on: a getter, or a default of an interface.
  for (let round = 0; round < mostRounds; round++) {
    const before = givers.size
    for (const one of methods) {
      let uses = false
      eachInstruction(bytes, one, (opcode, at) => {
        const used = isInvoke(opcode) ? givers : isGet(opcode) ? fields : null
        if (used?.has(bytes.readUInt16LE(at + 2)) === true) uses = true
      })
      if (!uses) continue
      worth.add(one)
      if (one.end - one.start > longestOnGiver) continue
      givers.add(one.index)
      if (file.method(one.index).name === '<clinit>') addPut(bytes, one, fields)
    }
    if (givers.size === before) break
  }
  return worth
}

function addPut(bytes: Buffer, one: DexMethod, fields: Set<number>): void {
  eachInstruction(bytes, one, (opcode, at) => {
    if (isPut(opcode)) fields.add(bytes.readUInt16LE(at + 2))
  })
}

/** Lists the methods by which code may call some methods on what their classes extend or implement. */
function aboveIn(file: DexFile, classes: readonly DexClass[], some: ReadonlySet<number>): number[] {
  if (some.size === 0) return []
  const parents = new Map(classes.map((one) => [one.name, one.parents]))
  const keys = new Set(
    [...some].flatMap((one) => keysAbove(keyOf(file.method(one)), (owner) => parents.get(owner) ?? [])),
  )
  const names = new Set([...keys].map((key) => memberOf(key).name))
  // Most methods are called otherwise: their keys are not made.
  const isNamed = remembered(file.strings, (name) => Number(names.has(file.text(name))))
  const isAbove = (index: number) => isNamed(file.nameOf(index)) === 1 && keys.has(keyOf(file.method(index)))
  return Array.from({ length: file.methods }, (_, index) => index).filter(isAbove)
}

const mostRounds = 3
/** In bytes: a call, its result, and hardly more. */
const longestOnGiver = 24

/** In bytes: a longer method does more than to give a part of a key, or to put one into a field. */
const longestGiver = 400

/** The data of such an instruction has many elements, or there is a shorter way to write it. */
const fillArray = 0x26
const leastFilled = 16

/** Puts a number of 8, 16 or 32 bits into an array. */
function isArrayPut(opcode: number): boolean {
  return opcode >= 0x4b && opcode <= 0x51 && opcode !== 0x4c && opcode !== 0x4d
}

/** Says whether an instruction fills an array with what may be the codes of a key, which another method reads. */
function fillsWithCodes(bytes: Buffer, at: number): boolean {
  const data = at + bytes.readInt32LE(at + 2) * 2
  if (data < 0 || data + 8 > bytes.length) return false
  const [width, count] = [bytes.readUInt16LE(data + 2), bytes.readUInt32LE(data + 4)]
  if (![1, 2, 4].includes(width) || count > mostCodes || data + 8 + count * width > bytes.length) return false
  return mayBeCodes(
    Array.from({ length: count }, (_, index) => bytes.readUIntLE(data + 8 + index * width, width)),
  )
}

const mostCodes = 120

const constString = 0x1a
const constStringJumbo = 0x1b

function isInvoke(opcode: number): boolean {
  return opcode >= 0x6e && opcode <= 0x78 && opcode !== 0x73
}

/** Reads of fields, of an object or a class. */
function isGet(opcode: number): boolean {
  return (opcode >= 0x52 && opcode <= 0x58) || (opcode >= 0x60 && opcode <= 0x66)
}

function isPut(opcode: number): boolean {
  return (opcode >= 0x59 && opcode <= 0x5f) || (opcode >= 0x67 && opcode <= 0x6d)
}

function stringOf(bytes: Buffer, opcode: number, at: number): number {
  return opcode === constString ? bytes.readUInt16LE(at + 2) : bytes.readUInt32LE(at + 2)
}

function eachInstruction(
  bytes: Buffer,
  { start, end }: DexMethod,
  onInstruction: (opcode: number, at: number) => void,
): void {
  for (let at = start; at + 2 <= end; ) {
    const opcode = bytes[at] ?? 0
    const length = (opcode === 0 ? payloadLength(bytes, at) : 0) || (lengths[opcode] ?? 2)
    if (at + length > end) return
    onInstruction(opcode, at)
    at += length
  }
}

/** Gives the signs of each string that code loads or fields hold, by its number. */
function signsIn(
  file: DexFile,
  classes: readonly DexClass[],
  methods: readonly DexMethod[],
  prefix: string,
): Uint8Array {
  const isLoaded = new Uint8Array(file.strings)
  for (const one of methods)
    eachInstruction(file.bytes, one, (opcode, at) => {
      if (opcode === constString || opcode === constStringJumbo)
        isLoaded[stringOf(file.bytes, opcode, at)] = 1
    })
  for (const one of classes)
    for (const { string } of one.constants()) if (string !== null) isLoaded[string] = 1
  const loaded: number[] = []
  for (let index = 0; index < isLoaded.length; index++) if (isLoaded[index] === 1) loaded.push(index)
  const found = new Uint8Array(file.strings)
  const signs = signsOf(
    file.bytes,
    loaded.map((index) => file.place(index)),
    prefix,
  )
  for (const [at, index] of loaded.entries()) found[index] = signs[at] ?? 0
  return found
}

/** Looks each method up once, since a file calls the same ones many times, and only those of classes that may have signs. */
function createCallSigns(file: DexFile): (method: number) => number {
  const isKnown = remembered(file.types, (type) => Number(isOfPlatform(file.typeName(type))))
  return remembered(file.methods, (method) => {
    if (isKnown(file.ownerOf(method)) === 0) return 0
    const { owner, name, descriptor } = file.method(method)
    return callSignsOf(owner, name, descriptor)
  })
}

/** Makes each of so many small numbers once; 0 for another index. */
function remembered(count: number, make: (index: number) => number): (index: number) => number {
  const known = new Int16Array(count).fill(-1)
  return (index) => {
    const before = known[index]
    if (before === undefined) return 0
    if (before !== -1) return before
    const value = make(index)
    known[index] = value
    return value
  }
}

function programOf(file: DexFile, classes: readonly DexClass[]): Program {
  const byName = new Map(classes.map((one) => [one.name, one]))
  const methods = new Map<string, ReadonlyMap<string, Method>>()
  const methodsOf = (owner: string) => {
    const known = methods.get(owner)
    if (known !== undefined) return known
    const made = new Map(
      (byName.get(owner)?.methods ?? []).map((code) => {
        const method = methodOf(file, code)
        return [keyOf(method), method] as const
      }),
    )
    methods.set(owner, made)
    return made
  }
  const found = new Map<string, Method | null>()
  const find = (key: string) =>
    inherited(
      key,
      (owner, own) => methodsOf(owner).get(own),
      (owner) => byName.get(owner)?.parents ?? [],
    )
  return {
    // Code calls the same methods again and again, most of them of the platform.
    method(key) {
      const before = found.get(key)
      if (before !== undefined) return before ?? undefined
      const method = find(key)
      found.set(key, method ?? null)
      return method
    },
    *constants(owner): Generator<readonly [string, Value]> {
      for (const { field, value } of byName.get(owner)?.constants() ?? [])
        yield [keyOf(file.field(field)), value]
    },
  }
}
