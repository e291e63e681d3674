/** An instruction of x86-64, as far as the reader of constants needs it. */
export interface Instruction {
  readonly start: number
  readonly end: number
  /** The opcode; with 0x0f before it, plus 0x100; -1 for one of the newer encodings. */
  readonly opcode: number
  /** Prefix 0x66, 0xf2 or 0xf3; 0 where there is none. */
  readonly prefix: number
  readonly rex: number
  /** -1 where there is none. */
  readonly mode: number
  readonly register: number
  /** A register where `mode` is 3, and otherwise an operand in memory. */
  readonly other: number
  /** The name of an operand in memory without the distance. */
  readonly base: string
  readonly distance: number
  /** True where the distance is relative to the end of the instruction. */
  readonly isRelative: boolean
  readonly immediate: number
  readonly immediateSize: number
}

const rows = (text: string) => new Set(text.split(' ').map((one) => Number.parseInt(one, 16)))
const withOperand = rows(
  '0 1 2 3 8 9 a b 10 11 12 13 18 19 1a 1b 20 21 22 23 28 29 2a 2b 30 31 32 33 38 39 3a 3b 63 69 6b 80 81 83 84 85 86 87 88 89 8a 8b 8c 8d 8e 8f c0 c1 c6 c7 d0 d1 d2 d3 d8 d9 da db dc dd de df f6 f7 fe ff',
)
const withByte = rows(
  '4 c 14 1c 24 2c 34 3c 6a 6b 70 71 72 73 74 75 76 77 78 79 7a 7b 7c 7d 7e 7f 80 83 a8 b0 b1 b2 b3 b4 b5 b6 b7 c0 c1 c6 cd e0 e1 e2 e3 eb',
)
const withWord = rows('5 d 15 1d 25 2d 35 3d 68 69 81 a9 b8 b9 ba bb bc bd be bf c7 e8 e9')
const withoutOperandBehindEscape = rows(
  '5 6 8 9 b 30 31 32 33 34 35 37 77 80 81 82 83 84 85 86 87 88 89 8a 8b 8c 8d 8e 8f a0 a1 a2 a8 a9 aa c8 c9 ca cb cc cd ce cf',
)
const withByteBehindEscape = rows('70 71 72 73 a4 ac ba c2 c4 c5 c6')

/** Reads the instruction at a place; `null` where none is. */
export function instructionAt(bytes: Buffer, start: number): Instruction | null {
  let at = start
  let prefix = 0
  while (at < start + 4 && isPrefix(bytes[at])) {
    if (bytes[at] !== 0x2e && bytes[at] !== 0x64 && bytes[at] !== 0x65) prefix = bytes[at] ?? 0
    at += 1
  }
  const rex = ((bytes[at] ?? 0) & 0xf0) === 0x40 ? (bytes[at++] ?? 0) : 0
  let opcode = bytes[at++] ?? 0
  let hasOperand = withOperand.has(opcode)
  let immediateSize = 0
  if (opcode === 0xc4 || opcode === 0xc5) {
    const map = opcode === 0xc5 ? 1 : (bytes[at] ?? 0) & 31
    const next = bytes[at + (opcode === 0xc5 ? 1 : 2)] ?? 0
    at += opcode === 0xc5 ? 2 : 3
    hasOperand = map !== 1 || next !== 0x77
    immediateSize = map === 3 || (map === 1 && withByteBehindEscape.has(next)) ? 1 : 0
    opcode = -1
  } else if (opcode === 0x0f) {
    const next = bytes[at++] ?? 0
    opcode = 0x100 + next
    hasOperand = !withoutOperandBehindEscape.has(next)
    immediateSize = withByteBehindEscape.has(next) ? 1 : next >= 0x80 && next <= 0x8f ? 4 : 0
    if (next === 0x38 || next === 0x3a) {
      at += 1
      opcode = -1
      immediateSize = next === 0x3a ? 1 : 0
    }
  } else immediateSize = sizeOfImmediate(bytes, at, opcode, prefix, rex)
  const known = { start, opcode, prefix, rex }
  const operand = hasOperand ? operandAt(bytes, at, rex) : noOperand(at)
  const end = operand.at + immediateSize
  if (end > bytes.length) return null
  const immediate = immediateSize === 0 || immediateSize > 4 ? 0 : bytes.readIntLE(operand.at, immediateSize)
  return { ...known, ...operand, end, immediate, immediateSize }
}

function isPrefix(byte: number | undefined): boolean {
  return (
    byte === 0x66 ||
    byte === 0xf2 ||
    byte === 0xf3 ||
    byte === 0x2e ||
    byte === 0x64 ||
    byte === 0x65 ||
    byte === 0xf0
  )
}

function sizeOfImmediate(bytes: Buffer, at: number, opcode: number, prefix: number, rex: number): number {
  if ((opcode & 0xf8) === 0xb8 && (rex & 8) !== 0) return 8
  // Only `test` has a number among those.
  if (opcode === 0xf6 || opcode === 0xf7) {
    if (((bytes[at] ?? 0) & 0x30) !== 0) return 0
    return opcode === 0xf6 ? 1 : prefix === 0x66 ? 2 : 4
  }
  if (withByte.has(opcode)) return 1
  if (!withWord.has(opcode)) return opcode === 0xc2 ? 2 : 0
  return prefix === 0x66 && opcode !== 0xe8 && opcode !== 0xe9 ? 2 : 4
}

function noOperand(at: number) {
  return { at, mode: -1, register: -1, other: -1, base: '', distance: 0, isRelative: false }
}

function operandAt(bytes: Buffer, at: number, rex: number) {
  const byte = bytes[at] ?? 0
  const mode = byte >> 6
  const register = ((byte >> 3) & 7) | ((rex & 4) << 1)
  const other = (byte & 7) | ((rex & 1) << 3)
  if (mode === 3) return { at: at + 1, mode, register, other, base: '', distance: 0, isRelative: false }
  const isScaled = (byte & 7) === 4
  const scale = isScaled ? (bytes[at + 1] ?? 0) : 0
  const behind = at + (isScaled ? 2 : 1)
  const isRelative = mode === 0 && (byte & 7) === 5
  const isWide = mode === 2 || isRelative || (mode === 0 && isScaled && (scale & 7) === 5)
  const size = mode === 1 ? 1 : isWide ? 4 : 0
  if (behind + size > bytes.length) return noOperand(Number.POSITIVE_INFINITY)
  const distance = size === 0 ? 0 : bytes.readIntLE(behind, size)
  return {
    at: behind + size,
    mode,
    register,
    other,
    base: `${other} ${scale} ${rex & 2}`,
    distance,
    isRelative,
  }
}
