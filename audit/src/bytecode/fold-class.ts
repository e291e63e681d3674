import type { FormatFile } from '../formats/audited-format.ts'
import { pay } from '../model/effort.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { scanValues } from '../scan/unwrap.ts'
import { type ClassFile, readClassFile } from './class-file.ts'
import { filledArrays, mayBeCodes } from './filled-arrays.ts'
import { type Code, foldCode } from './fold-code.ts'
import { methodOf } from './jvm.ts'
import type { Method } from './step.ts'
import { keyOf } from './value.ts'
import { callSignsOf, createSigns, hasPartIn, type Signs, signsOf } from './worth.ts'

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
  if (signs.some(hasPartIn) || arrays.some(({ numbers }) => mayBeCodes(numbers))) archive.parts.add(location)
  if (!mayBeWorth(file, signs)) return null
  const methods = file.methods.map((code) => methodOf(file, code))
  const worth = findWorth(file, methods, signs)
  if (worth.length === 0) return null
  const byKey = new Map(methods.map((method) => [keyOf(method), method]))
  // Constructors fill the fields that other methods read.
  const first = methods.filter(({ name }) => name.startsWith('<'))
  const others = worth.filter(({ name }) => !name.startsWith('<'))
  return {
    program: { method: (key) => byKey.get(key), constants: () => file.constants },
    methods: [...first, ...others],
  }
}

/** Looks at all that a class loads and calls, as if one method did: most classes have nothing to decode. */
function mayBeWorth(file: ClassFile, signs: Uint8Array): boolean {
  const all = createSigns()
  for (const some of signs) all.text(some)
  for (const { owner, name, descriptor } of file.calls()) all.call(callSignsOf(owner, name, descriptor))
  all.elements(Number.POSITIVE_INFINITY)
  return all.isWorth()
}

/** Finds the methods that may make a key. Where one loads a piece of it, any other may use that. */
function findWorth(file: ClassFile, methods: readonly Method[], signs: Uint8Array): readonly Method[] {
  const byText = new Map(
    file.texts.map(({ start, end }, index) => [file.bytes.toString('utf8', start, end), signs[index] ?? 0]),
  )
  const own = methods.map((method) => ({ method, signs: signsIn(method, byText) }))
  if (own.some((one) => one.signs.hasPiece())) return methods
  const decoders = new Set(
    own
      .filter(({ method, signs }) => signs.isDecoder(() => method.descriptor))
      .map(({ method }) => keyOf(method)),
  )
  return own
    .filter((one) => one.signs.isWorth() || (one.signs.hasMasked() && callsOne(one.method, decoders)))
    .map(({ method }) => method)
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
    if (step.kind === 'concatenate') for (const part of step.recipe.split('\u0001')) text(part)
    if (step.kind === 'store') signs.elements(1)
    if (step.kind !== 'invoke') continue
    const { owner, name, descriptor } = step.method
    signs.call(callSignsOf(owner, name, descriptor))
  }
  return signs
}
