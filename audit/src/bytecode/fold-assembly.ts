import type { FormatFile } from '../formats/audited-format.ts'
import { pay } from '../model/effort.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { type Assembly, type AssemblyMethod, readAssembly } from './assembly.ts'
import { eachInstruction, methodOf } from './cil.ts'
import { type Code, foldCode } from './fold-code.ts'
import { inherited, keysAbove } from './inherited.ts'
import { keyOf } from './value.ts'
import { callSignsOf, createSigns, type Signs, signsOf } from './worth.ts'

/** Reports the keys that the methods of an assembly of .NET put together. */
export function foldAssembly(audit: ScanContext, file: FormatFile): void {
  foldCode(audit, file, (own) => codeOfAssembly(own, file.bytes))
}

/** @returns `null` where no method can make a key. @throws RangeError where the file does not parse */
function codeOfAssembly({ effort, prefix }: ScanContext, bytes: Buffer): Code | null {
  pay(effort, bytes.length)
  const assembly = readAssembly(bytes)
  const worth = findWorth(assembly, signsByPlace(assembly, prefix))
  if (worth.size === 0) return null
  const byKey = new Map(assembly.methods.map((code) => [keyOf(code), code]))
  const known = new Map<AssemblyMethod, ReturnType<typeof methodOf>>()
  const made = (code: AssemblyMethod) => {
    const before = known.get(code)
    if (before !== undefined) return before
    const method = methodOf(assembly, code)
    known.set(code, method)
    return method
  }
  // Constructors fill the fields that other methods read.
  const isConstructor = ({ name }: AssemblyMethod) => name.startsWith('<') && name.endsWith('it>')
  const inOrder = [...worth].sort((one, other) => Number(isConstructor(other)) - Number(isConstructor(one)))
  return {
    program: {
      parents: (owner) => assembly.parents(owner),
      method(key) {
        const code = inherited(
          key,
          (_, own) => byKey.get(own),
          (owner) => assembly.parents(owner),
        )
        return code === undefined ? undefined : made(code)
      },
      constants: () => [],
    },
    methods: inOrder.map(made),
  }
}

/** Gives the signs of each text by its place in the file. Texts are in UTF-16: their signs are those of one byte a character. */
function signsByPlace({ bytes, texts }: Assembly, prefix: string): ReadonlyMap<number, number> {
  const narrow: Buffer[] = []
  const places: { start: number; end: number }[] = []
  let at = 0
  for (const { start, end } of texts) {
    const text = Buffer.from(bytes.toString('utf16le', start, end), 'latin1')
    narrow.push(text)
    places.push({ start: at, end: at + text.length })
    at += text.length
  }
  const signs = signsOf(Buffer.concat(narrow), places, prefix)
  return new Map(texts.map(({ start }, index) => [start, signs[index] ?? 0]))
}

const [loadString, loadToken, call, callVirtual, makeObject] = [0x72, 0xd0, 0x28, 0x6f, 0x73]
const fields = new Set([0x7b, 0x7d, 0x7e, 0x80])
/** Compilers write it into names of their own, which no program can write. */
const markOfCompiler = '<'
/** In bytes: a longer method does more than to give a part of a key, or to put one into a field. */
const longestGiver = 400

/** Finds the methods that may make a key, and those that use what others give that load a piece of it. */
function findWorth(assembly: Assembly, signs: ReadonlyMap<number, number>): Set<AssemblyMethod> {
  const { bytes, methods } = assembly
  const worth = new Set<AssemblyMethod>()
  const givers = new Set<string>()
  const iterators = new Set<string>()
  const calls = new Map<number, number>()
  const tables = new Set<string>()
  const makers: AssemblyMethod[] = []
  const signsOfCall = (token: number) => {
    const known = calls.get(token)
    if (known !== undefined) return known
    const some = callSigns(assembly, token)
    calls.set(token, some)
    return some
  }
  for (const one of methods) {
    const own = signsIn(assembly, one, signs, signsOfCall)
    if (own.isWorth()) worth.add(one)
    if (own.makesText()) makers.push(one)
    if (one.name === '<clinit>')
      for (const field of fieldsWithData(assembly, one)) {
        tables.add(field)
        worth.add(one)
      }
    if (!own.hasPiece() || one.end - one.start > longestGiver) continue
    givers.add(keyOf(one))
    if (one.owner.includes(markOfCompiler)) iterators.add(one.owner)
    if (!one.isStatic)
      for (const key of keysAbove(keyOf(one), (owner) => assembly.parents(owner))) givers.add(key)
    eachInstruction(bytes, one, (opcode, at) => {
      if (fields.has(opcode)) givers.add(memberKey(assembly, bytes.readUInt32LE(at + 1)))
    })
  }
  if (tables.size > 0) for (const one of makers) if (uses(assembly, one, tables)) worth.add(one)
  if (givers.size === 0) return worth
  // A method with `yield` only makes the object that gives its parts.
  for (const one of methods) if (one.name === '<init>' && iterators.has(one.owner)) givers.add(keyOf(one))
  // A short method that asks one that gives a part may give it on.
  for (let round = 0; round < mostRounds; round++) {
    const before = givers.size
    for (const one of methods) {
      if (!uses(assembly, one, givers)) continue
      worth.add(one)
      if (one.end - one.start <= longestOnGiver) givers.add(keyOf(one))
    }
    if (givers.size === before) break
  }
  return worth
}

const putStatic = 0x80
/** Instructions between the token of the data and the field that has the array. */
const mostBetween = 3

/** Lists the fields of a class that its initialiser fills with an array of data. */
function fieldsWithData(assembly: Assembly, method: AssemblyMethod): string[] {
  const { bytes } = assembly
  const found: string[] = []
  let behind = mostBetween
  eachInstruction(bytes, method, (opcode, at) => {
    behind = opcode === loadToken ? 0 : behind + 1
    if (opcode === putStatic && behind <= mostBetween)
      found.push(memberKey(assembly, bytes.readUInt32LE(at + 1)))
  })
  return found
}

const mostRounds = 3
/** In bytes: a call or two, their results, and hardly more. */
const longestOnGiver = 32

function uses(assembly: Assembly, method: AssemblyMethod, givers: ReadonlySet<string>): boolean {
  const { bytes } = assembly
  let isUsed = false
  eachInstruction(bytes, method, (opcode, at) => {
    const isDelegate = opcode === 0xfe && (bytes[at + 1] === 0x06 || bytes[at + 1] === 0x07)
    const isCall = opcode === call || opcode === callVirtual || opcode === makeObject
    if (isUsed || (!isDelegate && !isCall && !fields.has(opcode))) return
    isUsed = givers.has(memberKey(assembly, bytes.readUInt32LE(at + (isDelegate ? 2 : 1))))
  })
  return isUsed
}

function memberKey(assembly: Assembly, token: number): string {
  try {
    return keyOf(assembly.member(token))
  } catch (error) {
    if (error instanceof RangeError) return ''
    throw error
  }
}

function callSigns(assembly: Assembly, token: number): number {
  try {
    const { owner, name, descriptor } = assembly.member(token)
    return callSignsOf(owner, name, descriptor)
  } catch (error) {
    if (error instanceof RangeError) return 0
    throw error
  }
}

const leastData = 16

function signsIn(
  assembly: Assembly,
  method: AssemblyMethod,
  signs: ReadonlyMap<number, number>,
  signsOfCall: (token: number) => number,
): Signs {
  const { bytes } = assembly
  const own = createSigns()
  eachInstruction(bytes, method, (opcode, at) => {
    if (opcode === loadString) own.text(signs.get(assembly.placeOf(bytes.readUInt32LE(at + 1))) ?? 0)
    else if (opcode === loadToken) own.elements(leastData)
    else if (opcode >= 0x9c && opcode <= 0x9e) own.elements(1)
    else if (opcode === call || opcode === callVirtual || opcode === makeObject)
      own.call(signsOfCall(bytes.readUInt32LE(at + 1)))
  })
  return own
}
