import { type Expression, readExpressions } from './expressions.ts'

/**
 * Assembles the subset of WebAssembly's text format that the kernel is written in: one memory, exported functions, and
 * folded instructions on `i32`, `i64` and `v128`. @throws Error for anything else
 */
export function assemble(source: string): Buffer {
  const [module] = readExpressions(source)
  const fields = listOf(module).slice(1).map(listOf)
  const memories = fields.filter(([kind]) => kind === 'memory')
  const functions = fields.filter(([kind]) => kind === 'func').map(readFunction)
  const exports = [
    ...memories.map((memory, index) => [...text(exportName(memory)), 2, ...unsigned(index)]),
    ...functions.map(({ name }, index) => [...text(name), 0, ...unsigned(index)]),
  ]
  return Buffer.from([
    ...Buffer.from('\0asm\x01\0\0\0', 'latin1'),
    ...section(1, vector(functions.map(({ type }) => type))),
    ...section(3, vector(functions.map((_, index) => unsigned(index)))),
    ...section(5, vector(memories.map((memory) => [0, ...unsigned(Number(memory.at(-1)))]))),
    ...section(7, vector(exports)),
    ...section(10, vector(functions.map(({ body }) => [...unsigned(body.length), ...body]))),
  ])
}

const valueTypes: Readonly<Record<string, number>> = { i32: 0x7f, i64: 0x7e, v128: 0x7b }

function readFunction(field: readonly Expression[]) {
  const parts = field.slice(1).map(listOf)
  const named = (kind: string) => parts.filter(([head]) => head === kind)
  const typed = (kind: string) => named(kind).map((part) => valueTypes[String(part.at(-1))] ?? unknown(part))
  const locals = new Map([...named('param'), ...named('local')].map(([, name], at) => [String(name), at]))
  const instructions = parts.filter(
    ([head]) => !['export', 'param', 'result', 'local'].includes(String(head)),
  )
  const code = instructions.flatMap((instruction) => encode(instruction, { locals, labels: [] }))
  const declared = typed('local').map((type) => [1, type])
  return {
    name: exportName(field),
    type: [
      0x60,
      ...vector(typed('param').map((type) => [type])),
      ...vector(typed('result').map((type) => [type])),
    ],
    body: [...vector(declared), ...code, 0x0b],
  }
}

interface Scope {
  readonly locals: ReadonlyMap<string, number>
  /** Innermost last. */
  readonly labels: readonly string[]
}

const plain: Readonly<Record<string, readonly number[]>> = {
  'i32.ge_u': [0x4f],
  'i32.le_u': [0x4d],
  'i32.ctz': [0x68],
  'i32.add': [0x6a],
  'i32.sub': [0x6b],
  'i32.and': [0x71],
  'i32.or': [0x72],
  'i32.xor': [0x73],
  'i32.shl': [0x74],
  'i32.shr_u': [0x76],
  'i64.ne': [0x52],
  'i64.and': [0x83],
  'i8x16.splat': [0xfd, 15],
  'i8x16.eq': [0xfd, 35],
  'v128.and': [0xfd, 78],
  'v128.or': [0xfd, 80],
  'v128.xor': [0xfd, 81],
  'v128.any_true': [0xfd, 83],
  'i8x16.bitmask': [0xfd, 100],
  'i8x16.shr_u': [0xfd, 109],
  'i8x16.relaxed_swizzle': [0xfd, 0x80, 2],
}

/** No alignment is promised. */
const memory: Readonly<Record<string, readonly number[]>> = {
  'i64.load': [0x29],
  'i32.load8_u': [0x2d],
  'i32.store': [0x36],
  'v128.load': [0xfd, 0],
  'v128.store': [0xfd, 11],
}

const noResult = 0x40

function encode(instruction: readonly Expression[], scope: Scope): number[] {
  const [head, first, ...others] = instruction
  const operands = (list: readonly Expression[]) => list.flatMap((operand) => encode(listOf(operand), scope))
  const name = String(head)
  if (name === 'block' || name === 'loop') {
    const inner = { ...scope, labels: [...scope.labels, String(first)] }
    const body = others.flatMap((one) => encode(listOf(one), inner))
    return [name === 'block' ? 0x02 : 0x03, noResult, ...body, 0x0b]
  }
  if (name === 'if') {
    const inner = { ...scope, labels: [...scope.labels, ''] }
    const then = listOf(others[0]).slice(1)
    const body = then.flatMap((one) => encode(listOf(one), inner))
    return [...encode(listOf(first), scope), 0x04, noResult, ...body, 0x0b]
  }
  if (name === 'br_if') return [...operands(others), 0x0d, ...unsigned(depthOf(String(first), scope))]
  if (name === 'i64.const') return [0x42, ...signed(Number(first))]
  if (name === 'i32.const') return [0x41, ...signed(Number(first))]
  if (name === 'local.get') return [0x20, ...unsigned(localOf(String(first), scope))]
  if (name === 'local.set') return [...operands(others), 0x21, ...unsigned(localOf(String(first), scope))]
  const access = memory[name]
  const offset = /^offset=(\d+)$/.exec(String(first))?.[1]
  if (access !== undefined && offset !== undefined)
    return [...operands(others), ...access, 0, ...unsigned(Number(offset))]
  return [...operands(instruction.slice(1)), ...(plain[name] ?? unknown(name))]
}

function depthOf(label: string, { labels }: Scope): number {
  const at = labels.lastIndexOf(label)
  return at === -1 ? unknown(label) : labels.length - 1 - at
}

function localOf(name: string, { locals }: Scope): number {
  return locals.get(name) ?? unknown(name)
}

function exportName(field: readonly Expression[]): string {
  const [, name] = listOf(field.find((part) => Array.isArray(part) && part[0] === 'export'))
  return String(name).slice(1, -1)
}

function listOf(expression: Expression | undefined): readonly Expression[] {
  return typeof expression === 'object' ? expression : unknown(expression)
}

function unknown(what: unknown): never {
  throw new Error(`the assembler does not know ${JSON.stringify(what)}`)
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content]
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()]
}

function text(value: string): number[] {
  return vector([...Buffer.from(value)].map((byte) => [byte]))
}

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: number): number[] {
  const rest = value >> 7
  const isLast = (rest === 0 && (value & 0x40) === 0) || (rest === -1 && (value & 0x40) !== 0)
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(rest)]
}
