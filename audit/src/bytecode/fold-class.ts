import type { FormatFile } from '../formats/audited-format.ts'
import { pay } from '../model/effort.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { scanValues } from '../scan/unwrap.ts'
import { fewestListed } from '../script/clues/masked-codes.ts'
import { type ClassFile, ofCallSites, readClassFile } from './class-file.ts'
import { filledArrays, mayBeCodes } from './filled-arrays.ts'
import { type Code, foldCode } from './fold-code.ts'
import { methodOf } from './jvm.ts'
import { createMostSigns, signsOfCalls } from './most-signs.ts'
import type { Method } from './step.ts'
import { keyOf } from './value.ts'
import { callSignsOf, createSigns, hasPartIn, leastCodesOf, type Signs, signsOf } from './worth.ts'

/** Reports the keys that the methods of a class file put together. */
export function foldClass(audit: ScanContext, file: FormatFile): void {
  foldCode(audit, file, (own) => codeOfClass(own, file))
}

/** @returns `null` where no method can make a key. @throws RangeError where the file does not parse */
function codeOfClass(audit: ScanContext, { location, bytes }: FormatFile): Code | null {
  const { effort, prefix, archive } = audit
  pay(effort, bytes.length)
  const file = readClassFile(bytes)
  const signs = signsOf(file.bytes, file.texts, prefix)
  const arrays = [...filledArrays(file)]
  scanValues(audit, { location, format: 'class', bytes, isText: false }, arrays)
  const hasCodes = arrays.some(({ numbers }) => mayBeCodes(numbers))
  if (signs.some(hasPartIn) || hasCodes) archive.parts.add(location)
  const called = signsOfCalls(file)
  if (!mayBeWorth(file, { signs, called }, prefix)) return null
  const methods = file.methods.map((code) => methodOf(file, code))
  const worth = findWorth(file, methods, { signs, called, hasCodes })
  if (worth.length === 0) return null
  const byKey = new Map(methods.map((method) => [keyOf(method), method]))
  // Constructors fill the fields that other methods read.
  const first = methods.filter(({ name }) => name.startsWith('<'))
  const others = worth.filter(({ name }) => !name.startsWith('<'))
  return {
    program: {
      method: (key) => byKey.get(key),
      parents: (owner) => (owner === file.name ? file.parents : []),
      constants: () => file.constants,
    },
    methods: [...first, ...others],
  }
}

interface OfConstants {
  /** The signs of its texts, in their order. */
  readonly signs: Uint8Array
  /** The signs of the methods that it calls, by the numbers of their constants. */
  readonly called: Uint8Array
}

/** Looks at all that a class loads and calls, as if one method did: most classes have nothing to decode. */
function mayBeWorth(file: ClassFile, { signs, called }: OfConstants, prefix: string): boolean {
  const all = createSigns()
  const bytes = bytesOfCode(file)
  for (const some of signs) all.text(some)
  for (const some of called) all.call(some, bytes.calls)
  all.elements(bytes.stores)
  return all.isWorth(() => countCodes(file, prefix) + bytes.characters >= leastCodesOf(prefix))
}

/** Counts bytes of code that may be instructions: those that call, that put a number into an array, and that get a character. */
function bytesOfCode({ bytes, methods }: ClassFile) {
  const counts = new Uint32Array(256)
  for (const { start, end } of methods)
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number
      counts[byte] = (counts[byte] as number) + 1
    }
  const sum = (opcodes: readonly number[]) => opcodes.reduce((all, opcode) => all + (counts[opcode] ?? 0), 0)
  return {
    calls: sum([0xb6, 0xb7, 0xb8, 0xb9]),
    stores: sum([0x4f, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56]),
    characters: sum([0x33, 0x34, 0x92, 0xb2, 0xb4]),
  }
}

const pushByte = 0x10

/** Counts the characters of a prefix that the code may have as numbers. */
function countCodes({ bytes, methods }: ClassFile, prefix: string): number {
  const wanted = new Set(Buffer.from(prefix))
  const found = new Set<number>()
  for (const { start, end } of methods)
    for (let at = start; at + 1 < end; at++) {
      const code = bytes[at + 1] as number
      if (bytes[at] === pushByte && wanted.has(code)) found.add(code)
    }
  return found.size
}

/** Finds the methods that may make a key. Where one loads a piece of it, any other may use that. */
function findWorth(
  file: ClassFile,
  methods: readonly Method[],
  { signs, called, hasCodes }: OfConstants & { readonly hasCodes: boolean },
): readonly Method[] {
  const byText = new Map(
    file.texts.map(({ start, end }, index) => [file.bytes.toString('utf8', start, end), signs[index] ?? 0]),
  )
  const most = createMostSigns(file, called, byText)
  const candidates = methods.flatMap((method, index) => {
    const code = file.methods[index]
    return code === undefined ? [] : [{ method, ...most(code) }]
  })
  const own = candidates
    .filter(({ mayTell }) => mayTell)
    .map(({ method }) => ({ method, signs: signsIn(method, byText) }))
  if (own.some((one) => one.signs.hasPiece())) return methods
  // Numbers that one method puts into an array may be read by any other that makes a text.
  if (hasCodes || candidates.some(({ method, stores }) => stores >= fewestListed && putsCodes(method)))
    return methods
  const decoders = new Set(
    own
      .filter(({ method, signs }) => signs.isDecoder(() => method.descriptor))
      .map(({ method }) => keyOf(method)),
  )
  return own
    .filter((one) => one.signs.isWorth() || (one.signs.hasMasked() && callsOne(one.method, decoders)))
    .map(({ method }) => method)
}

/** Says whether a method puts what may be masked codes into arrays, which only older compilers do one by one. */
function putsCodes(method: Method): boolean {
  const steps = method.steps()
  const numbers = steps.flatMap((step, at) => {
    const before = steps[at - 1]
    const isPut = step.kind === 'store' && before?.kind === 'constant'
    return isPut && typeof before.value === 'number' ? [before.value] : []
  })
  // Tables of bits, as generators of parsers write them, have larger ones.
  return numbers.every((number) => number >= -128 && number < 256) && mayBeCodes(numbers)
}

export function callsOne(method: Method, some: ReadonlySet<string>): boolean {
  return method.steps().some((step) => step.kind === 'invoke' && some.has(keyOf(step.method)))
}

/** Gives the signs of a method, by those of the texts that its class loads. */
export function signsIn(method: Method, byText: ReadonlyMap<string, number>): Signs {
  const signs = createSigns()
  const text = (value: string) => signs.text(byText.get(value) ?? 0)
  for (const step of method.steps()) {
    if (step.kind === 'constant' && typeof step.value === 'string') text(step.value)
    if (step.kind === 'concatenate') {
      for (const part of step.recipe.split('\u0001')) text(part)
      signs.call(callSignsOf(ofCallSites, 'makeConcatWithConstants', `(${step.types.join('')})`))
    }
    if (step.kind === 'store') signs.elements(1)
    if (step.kind !== 'invoke') continue
    const { owner, name, descriptor } = step.method
    signs.call(callSignsOf(owner, name, descriptor))
  }
  return signs
}
