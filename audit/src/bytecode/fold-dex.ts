import type { FormatFile } from '../formats/audited-format.ts'
import { pay } from '../model/effort.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { lengths, methodOf, payloadLength } from './dalvik.ts'
import { type DexCode, type DexFile, type FieldParts, type MethodParts, readDexFile } from './dex-file.ts'
import { mayBeCodes } from './filled-arrays.ts'
import { type Code, foldCode } from './fold-code.ts'
import { classesAbove, descriptorOfValueOf, inherited, isFunction } from './inherited.ts'
import type { Program } from './machine.ts'
import type { Method } from './step.ts'
import { keyOf, type Value } from './value.ts'
import {
  callSignsOf,
  createSigns,
  isTelling,
  leastCodesOf,
  makesTexts,
  platformPackages,
  signsOf,
} from './worth.ts'

/** Reports the keys that the methods of a DEX file put together. */
export function foldDex(audit: ScanContext, file: FormatFile): void {
  foldCode(audit, file, (own) => codeOfDex(own, file.bytes))
}

/** @returns `null` where no method can make a key. @throws RangeError where the file does not parse */
function codeOfDex({ effort, prefix }: ScanContext, bytes: Buffer): Code | null {
  pay(effort, bytes.length)
  const file = readDexFile(bytes)
  const code = file.code()
  const worth = findWorth(file, code, prefix)
  if (worth.size === 0) return null
  return { program: programOf(file, code), methods: inOrder(file, code, worth) }
}

/** A method that can make a key begins with what fills the fields that it reads. */
function* inOrder(file: DexFile, code: DexCode, worth: ReadonlySet<number>): Generator<Method> {
  const isConstructor = (place: number) => file.method(code.indexOf(place)).name.startsWith('<')
  for (const place of worth) if (isConstructor(place)) yield methodOf(file, code.method(place))
  for (const place of worth) if (!isConstructor(place)) yield methodOf(file, code.method(place))
}

/**
 * Finds the methods that can make a text with the prefix of constants, and those that use the results or the fields of
 * methods that load a piece of it.
 * @returns their places among the methods with code
 */
function findWorth(file: DexFile, code: DexCode, prefix: string): Set<number> {
  const { bytes } = file
  const callSigns = createCallSigns(file)
  const loads = readLoads(file, code, callSigns)
  const signs = signsOfLoaded(file, code, loads.strings, prefix)
  const worth = new Set<number>()
  const decoders = new Set<number>()
  const masked: number[] = []
  const givers = new Set<number>()
  const fields = new Set<number>()
  const functions = new Set<number>()
  const own = createSigns()
  const leastCodes = leastCodesOf(prefix)
  const read = (opcode: number, at: number) => {
    if (isInvoke(opcode)) own.call(callSigns(bytes.readUInt16LE(at + 2)))
    else if (isLoad(opcode)) own.text(signs[stringOf(bytes, opcode, at)] ?? 0)
    else own.elements(opcode === fillArray ? leastFilled : 1)
  }
  for (let place = 0; place < code.count; place++) {
    const isCoded = loads.isCoded(place)
    if (!loads.mayMake(place) && !isCoded && !loads.hasOne(place, (string) => isTelling(signs[string] ?? 0)))
      continue
    own.clear()
    eachInstruction(bytes, code, place, ofSigns, read)
    const index = code.indexOf(place)
    if (own.isWorth(() => countCodes(bytes, code, place, prefix) >= leastCodes)) worth.add(place)
    if (isCoded || own.hasMasked()) masked.push(place)
    if (own.isDecoder(() => file.method(index).descriptor)) decoders.add(index)
    if ((!own.hasPiece() && !isCoded) || lengthOf(code, place) > longestGiver) continue
    givers.add(index)
    addPut(bytes, code, place, fields)
    const owner = file.ownerOf(index)
    if (!code.method(place).isStatic && isFunctionIn(file, code, owner)) functions.add(owner)
  }
  for (const place of masked) if (callsOne(bytes, code, place, decoders)) worth.add(place)
  for (const above of aboveIn(file, code, givers)) givers.add(above)
  for (const { field, string } of code.classes.flatMap((one) => one.constants()))
    if (string !== null && ((signs[string] ?? 0) & 1) === 1) fields.add(field)
  if (givers.size + fields.size > 0) addUsers(file, code, { worth, givers, fields, functions })
  return worth
}

interface Found {
  readonly worth: Set<number>
  readonly givers: Set<number>
  readonly fields: Set<number>
  /** Types that are made to be called as lambdas are. */
  readonly functions: ReadonlySet<number>
}

/** A short method that asks one that gives a part may give it on: a getter, or a default of an interface. */
function addUsers(file: DexFile, code: DexCode, { worth, givers, fields, functions }: Found): void {
  const { bytes } = file
  let uses = false
  const read = (opcode: number, at: number) => {
    const index = bytes.readUInt16LE(at + 2)
    if ((opcode === newInstance ? functions : isInvoke(opcode) ? givers : fields).has(index)) uses = true
  }
  for (const field of instancesOf(file, functions)) fields.add(field)
  for (let round = 0; round < mostRounds; round++) {
    for (const field of inheritedFrom(file, code, fields)) fields.add(field)
    const before = givers.size + fields.size
    for (let place = 0; place < code.count; place++) {
      uses = false
      eachInstruction(bytes, code, place, ofUses, read)
      if (!uses) continue
      worth.add(place)
      const index = code.indexOf(place)
      if (lengthOf(code, place) > longestGiver) continue
      if (file.method(index).name.startsWith('<')) addPut(bytes, code, place, fields)
      if (lengthOf(code, place) <= longestOnGiver) givers.add(index)
    }
    if (givers.size + fields.size === before) break
  }
}

function isFunctionIn(file: DexFile, code: DexCode, type: number): boolean {
  const found = code.classOf(type)
  return found !== undefined && isFunction(found.parents().map(file.typeName), found.to - found.from)
}

/** Lists the fields that have the only object of a class. */
function instancesOf(file: DexFile, types: ReadonlySet<number>): number[] {
  if (types.size === 0) return []
  return fieldsIn(file, ({ owner, type }) => owner === type && types.has(type))
}

/** Lists the fields by which code names some that a class inherits. */
function inheritedFrom(file: DexFile, code: DexCode, some: ReadonlySet<number>): number[] {
  const parentsOf = (type: number) => code.classOf(type)?.parents() ?? []
  const owners = new Map<string, Set<number>>()
  for (const { owner, type, name } of [...some].map(file.partsOfField)) {
    const known = owners.get(`${name} ${type}`)
    if (known === undefined) owners.set(`${name} ${type}`, new Set([owner]))
    else known.add(owner)
  }
  return fieldsIn(file, ({ owner, type, name }) => {
    const same = owners.get(`${name} ${type}`)
    if (same === undefined || same.has(owner)) return false
    for (const one of classesAbove(owner, parentsOf)) if (same.has(one)) return true
    return false
  })
}

function fieldsIn(file: DexFile, isWanted: (parts: FieldParts) => boolean): number[] {
  const found: number[] = []
  for (let index = 0; index < file.fields; index++) if (isWanted(file.partsOfField(index))) found.push(index)
  return found
}

function lengthOf(code: DexCode, place: number): number {
  return code.endOf(place) - code.startOf(place)
}

function callsOne(bytes: Buffer, code: DexCode, place: number, some: ReadonlySet<number>): boolean {
  let calls = false
  eachInstruction(bytes, code, place, ofCalls, (_, at) => {
    calls ||= some.has(bytes.readUInt16LE(at + 2))
  })
  return calls
}

function addPut(bytes: Buffer, code: DexCode, place: number, fields: Set<number>): void {
  eachInstruction(bytes, code, place, ofPuts, (_, at) => {
    fields.add(bytes.readUInt16LE(at + 2))
  })
}

/** Counts the characters of a prefix that a method has as numbers, and the places where it reads or computes one. */
function countCodes(bytes: Buffer, code: DexCode, place: number, prefix: string): number {
  const numbers = new Set<number>()
  let read = 0
  eachInstruction(bytes, code, place, ofCodes, (opcode, at) => {
    if (opcode === const16) numbers.add(bytes.readInt16LE(at + 2))
    else if (opcode === const32) numbers.add(bytes.readInt32LE(at + 2))
    else read += 1
  })
  return [...new Set(prefix)].filter((one) => numbers.has(one.charCodeAt(0))).length + read
}

/**
 * Lists the methods by which code may call some methods on what their classes extend or implement. What the initialiser of
 * an enum makes is got by `valueOf`. Members are compared by their numbers: their names may be long.
 */
function aboveIn(file: DexFile, code: DexCode, some: ReadonlySet<number>): number[] {
  if (some.size === 0) return []
  const parentsOf = (type: number) => code.classOf(type)?.parents() ?? []
  const classesOf = new Map<string, Set<number>>()
  const enums = new Set<number>()
  // Most methods are of other classes.
  const owners = new Uint8Array(file.types)
  for (const one of some) {
    const parts = file.partsOfMethod(one)
    if (file.method(one).name === '<clinit>') {
      enums.add(parts.owner)
      owners[parts.owner] = 1
      continue
    }
    const classes = classesOf.get(signatureOf(parts)) ?? new Set()
    classesOf.set(signatureOf(parts), classes)
    for (const above of [...classesAbove(parts.owner, parentsOf)].slice(1)) {
      classes.add(above)
      owners[above] = 1
    }
  }
  const isValueOf = (index: number, owner: number) => {
    const { name, descriptor } = file.method(index)
    return name === 'valueOf' && descriptor === descriptorOfValueOf(file.typeName(owner))
  }
  const above: number[] = []
  for (let index = 0; index < file.methods; index++) {
    if (owners[file.ownerOf(index)] !== 1) continue
    const parts = file.partsOfMethod(index)
    const isAbove = classesOf.get(signatureOf(parts))?.has(parts.owner) === true
    if (isAbove || (enums.has(parts.owner) && isValueOf(index, parts.owner))) above.push(index)
  }
  return above
}

function signatureOf({ name, prototype }: MethodParts): string {
  return `${name} ${prototype}`
}

function parentsIn(file: DexFile, code: DexCode): (owner: string) => readonly string[] {
  return (owner) => (code.classOf(file.typeNamed(owner))?.parents() ?? []).map(file.typeName)
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

const newInstance = 0x22
const constString = 0x1a
const constStringJumbo = 0x1b

function isLoad(opcode: number): boolean {
  return opcode === constString || opcode === constStringJumbo
}

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

const const16 = 0x13
const const32 = 0x14
/** Makes a character of a number, or reads a byte or a character from an array or a field. */
const givesCharacter = new Set([0x8e, 0x48, 0x49, 0x56, 0x57, 0x64, 0x65])

/** Marks opcodes: a table is asked faster than a function. */
function marksOf(isMarked: (opcode: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, opcode) => Number(isMarked(opcode)))
}

const ofLoads = marksOf((one) => isLoad(one) || isInvoke(one) || one === fillArray)
const ofCalls = marksOf(isInvoke)
const ofPuts = marksOf(isPut)
const ofUses = marksOf((opcode) => isInvoke(opcode) || isGet(opcode) || opcode === newInstance)
const ofSigns = marksOf((one) => isLoad(one) || isInvoke(one) || one === fillArray || isArrayPut(one))
const ofCodes = marksOf((one) => one === const16 || one === const32 || givesCharacter.has(one))

function stringOf(bytes: Buffer, opcode: number, at: number): number {
  return opcode === constString ? bytes.readUInt16LE(at + 2) : bytes.readUInt32LE(at + 2)
}

function eachInstruction(
  bytes: Buffer,
  code: DexCode,
  place: number,
  marked: Uint8Array,
  onInstruction: (opcode: number, at: number) => void,
): void {
  const end = code.endOf(place)
  for (let at = code.startOf(place); at + 2 <= end; ) {
    const opcode = bytes[at] ?? 0
    const length = (opcode === 0 ? payloadLength(bytes, at) : 0) || (lengths[opcode] ?? 2)
    if (at + length > end) return
    if (marked[opcode] === 1) onInstruction(opcode, at)
    at += length
  }
}

/** The strings that methods load, and which methods call what makes a text. Code is read once for all of them. */
interface Loads {
  /** The strings of all methods, one method after the other. */
  readonly strings: readonly number[]
  hasOne(place: number, isWanted: (string: number) => boolean): boolean
  mayMake(place: number): boolean
  /** Says whether it fills an array with what may be the codes of a key, which another method reads. */
  isCoded(place: number): boolean
}

function readLoads(file: DexFile, code: DexCode, callSigns: (method: number) => number): Loads {
  const { bytes } = file
  const strings: number[] = []
  const [ends, makes, coded] = [
    new Uint32Array(code.count),
    new Uint8Array(code.count),
    new Uint8Array(code.count),
  ]
  let called = 0
  let isCoded = false
  const read = (opcode: number, at: number) => {
    if (isInvoke(opcode)) called |= callSigns(bytes.readUInt16LE(at + 2))
    else if (isLoad(opcode)) strings.push(stringOf(bytes, opcode, at))
    else isCoded ||= fillsWithCodes(bytes, at)
  }
  for (let place = 0; place < code.count; place++) {
    called = 0
    isCoded = false
    eachInstruction(bytes, code, place, ofLoads, read)
    ends[place] = strings.length
    makes[place] = Number(makesTexts(called))
    coded[place] = Number(isCoded)
  }
  return {
    strings,
    hasOne(place, isWanted) {
      const end = ends[place] ?? 0
      for (let at = ends[place - 1] ?? 0; at < end; at++) if (isWanted(strings[at] ?? 0)) return true
      return false
    },
    mayMake: (place) => makes[place] === 1,
    isCoded: (place) => coded[place] === 1,
  }
}

/** Gives the signs of each string that code loads or fields hold, by its number. */
function signsOfLoaded(file: DexFile, code: DexCode, strings: readonly number[], prefix: string): Uint8Array {
  const isLoaded = new Uint8Array(file.strings)
  for (const one of strings) isLoaded[one] = 1
  for (const one of code.classes)
    for (const { string } of one.constants()) if (string !== null) isLoaded[string] = 1
  const loaded: number[] = []
  for (let index = 0; index < isLoaded.length; index++) if (isLoaded[index] === 1) loaded.push(index)
  const found = new Uint8Array(file.strings)
  const { bytes, places } = together(file, loaded)
  const signs = signsOf(bytes, places, prefix)
  for (const [at, index] of loaded.entries()) found[index] = signs[at] ?? 0
  return found
}

/** Copies some strings side by side: in most files they are among many more names, which nothing has to read. */
function together(file: DexFile, strings: readonly number[]) {
  const from = strings.map((one) => file.place(one))
  const bytes = Buffer.allocUnsafeSlow(from.reduce((sum, { start, end }) => sum + end - start, 0))
  let at = 0
  const places = from.map(({ start, end }) => {
    const place = { start: at, end: at + end - start }
    for (let index = start; index < end; index++) bytes[at++] = file.bytes[index] as number
    return place
  })
  return { bytes, places }
}

/** Looks each method up once, since a file calls the same ones many times, and only those of classes that may have signs. */
function createCallSigns(file: DexFile): (method: number) => number {
  const isKnown = remembered(file.types, (type) => Number(file.begins(file.stringOfType(type), platform)))
  return remembered(file.methods, (method) => {
    if (isKnown(file.ownerOf(method)) === 0) return 0
    const { owner, name, descriptor } = file.method(method)
    return callSignsOf(owner, name, descriptor)
  })
}

const platform = platformPackages.map((one) => Buffer.from(`L${one}`))

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

function programOf(file: DexFile, code: DexCode): Program {
  const classNamed = (owner: string) => code.classOf(file.typeNamed(owner))
  const parentsOf = parentsIn(file, code)
  const methods = new Map<string, ReadonlyMap<string, Method>>()
  const methodsOf = (owner: string) => {
    const known = methods.get(owner)
    if (known !== undefined) return known
    const { from, to } = classNamed(owner) ?? { from: 0, to: 0 }
    const made = new Map(
      Array.from({ length: to - from }, (_, index) => {
        const method = methodOf(file, code.method(from + index))
        return [keyOf(method), method] as const
      }),
    )
    methods.set(owner, made)
    return made
  }
  const found = new Map<string, Method | null>()
  const find = (key: string) => inherited(key, (owner, own) => methodsOf(owner).get(own), parentsOf)
  return {
    parents: parentsOf,
    // Code calls the same methods again and again, most of them of the platform.
    method(key) {
      const before = found.get(key)
      if (before !== undefined) return before ?? undefined
      const method = find(key)
      found.set(key, method ?? null)
      return method
    },
    *constants(owner): Generator<readonly [string, Value]> {
      for (const { field, value, string } of classNamed(owner)?.constants() ?? [])
        yield [keyOf(file.field(field)), string === null ? value : file.text(string)]
    },
  }
}
