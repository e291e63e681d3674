import { addressOf, type Image, offsetOf } from '../image.ts'
import { createMemory, type TextAt, type Used } from './memory.ts'
import { type Instruction, instructionAt } from './x64-instruction.ts'

/** Bytes of code before a place from which instructions are read, and behind it. */
const [before, behind] = [160, 640]
const [call, callIndirect, lea, ret] = [0xe8, 0xff, 0x8d, 0xc3]

/** The texts that code around a place uses, in order: those that it refers to, and those that it stores number by number. */
export function piecesInX64(bytes: Buffer, image: Image, place: number, textAt: TextAt): Used[] {
  const used: Used[] = []
  const stores = createStores(bytes, image, (one) => used.push(one))
  for (const instruction of codeAround(bytes, place)) {
    if (endsStores(instruction)) stores.flush()
    const target = addressIn(instruction, image)
    const start = target === -1 ? -1 : offsetOf(image, target)
    const text = start > 0 ? textAt(start, instruction.end - 6) : ''
    if (text !== '') used.push({ text, offset: start, at: instruction.start, isStored: false })
    stores.step(instruction)
  }
  stores.flush()
  return used
}

function isCall({ opcode, register }: Instruction): boolean {
  return opcode === call || (opcode === callIndirect && (register & 7) === 2)
}

function endsStores(instruction: Instruction): boolean {
  return instruction.opcode === ret || isCall(instruction)
}

/** Instructions have no mark of their beginning: the furthest start is taken from which one begins at the place. */
function codeAround(bytes: Buffer, place: number): Instruction[] {
  for (let start = Math.max(0, place - before); start <= place; start++) {
    const code = codeFrom(bytes, start, place)
    if (code !== null) return [...code, ...(codeFrom(bytes, place, place + behind) ?? [])]
  }
  return []
}

/** @returns `null` where no instruction ends at `end`, unless it is the last place of all */
function codeFrom(bytes: Buffer, start: number, end: number): Instruction[] | null {
  const code: Instruction[] = []
  let at = start
  while (at < end) {
    const instruction = instructionAt(bytes, at)
    if (instruction === null) break
    code.push(instruction)
    at = instruction.end
  }
  return at === end || end - start === behind ? code : null
}

function addressIn(
  { opcode, isRelative, distance, end, immediate, immediateSize }: Instruction,
  image: Image,
): number {
  if (opcode === lea && isRelative) return addressOf(image, end) + distance
  return (opcode & 0xf8) === 0xb8 && opcode < 0x100 && immediateSize === 4 ? immediate >>> 0 : -1
}

/** Follows numbers from registers into memory. */
function createStores(bytes: Buffer, image: Image, tell: (used: Used) => void) {
  const general = new Map<number, Buffer>()
  const wide = new Map<number, Buffer>()
  const load = ({ isRelative, distance, end }: Instruction, size: number): Buffer | undefined => {
    const start = isRelative ? offsetOf(image, addressOf(image, end) + distance) : -1
    return start > 0 && start + size <= bytes.length ? bytes.subarray(start, start + size) : undefined
  }
  const memory = createMemory(tell)
  const store = ({ base, distance, start }: Instruction, value: Buffer | undefined) => {
    if (base !== '') memory.store({ base, distance, at: start }, value)
  }
  // Behind another value of a register, the same operand is another place.
  const setGeneral = (register: number, value: Buffer | undefined) => {
    memory.flush(`${register} `)
    set(general, register, value)
  }
  return {
    flush: () => memory.flush(''),
    step(instruction: Instruction) {
      const { opcode, mode, register, other, prefix } = instruction
      const size = sizeOf(instruction)
      const vector = vectorSizes(instruction)
      const put = (value: Buffer | undefined) =>
        mode === 3 ? setGeneral(other, value) : store(instruction, value)
      if ((opcode & 0xf8) === 0xb8 && opcode < 0x100)
        setGeneral((opcode & 7) | ((instruction.rex & 1) << 3), immediateOf(bytes, instruction))
      else if (opcode === 0xc7 || opcode === 0xc6) put(signed(instruction.immediate, size))
      else if (opcode === 0x89 || opcode === 0x88) put(general.get(register)?.subarray(0, size))
      else if (opcode === 0x8b || opcode === 0x1b6 || opcode === 0x1b7) {
        const loaded = opcode === 0x1b6 ? 1 : opcode === 0x1b7 ? 2 : size
        setGeneral(register, mode === 3 ? general.get(other)?.subarray(0, loaded) : load(instruction, loaded))
      } else if (opcode === 0x31 && mode === 3 && register === other) setGeneral(register, Buffer.alloc(8))
      else if (opcode === 0x16e && mode === 3) set(wide, register, general.get(other)?.subarray(0, size))
      else if (opcode === 0x16c && mode === 3) set(wide, register, both(wide.get(register), wide.get(other)))
      else if (opcode === 0x116 && prefix !== 0xf3 && mode !== 3)
        set(wide, register, both(wide.get(register), load(instruction, 8)))
      else if (isExclusiveOr(instruction)) {
        const mask = mode === 3 ? wide.get(other) : load(instruction, 16)
        set(
          wide,
          register,
          mode === 3 && register === other ? Buffer.alloc(16) : exclusiveOr(wide.get(register), mask),
        )
      } else if (vector > 0) set(wide, register, mode === 3 ? wide.get(other) : load(instruction, vector))
      else if (vector < 0) store(instruction, wide.get(register)?.subarray(0, -vector))
      else if (opcode === -1) wide.clear()
      else if (mode !== -1 && isVector(opcode)) wide.delete(register)
      else if (isCall(instruction)) for (const one of lostInCalls) general.delete(one)
      else if (mode === 3 && opcode < 0x100 && changesOther(opcode)) setGeneral(other, undefined)
      else if (mode !== -1 && (opcode === 0x63 || opcode === lea || (opcode < 0x40 && (opcode & 6) === 2)))
        setGeneral(register, undefined)
    },
  }
}

/** Registers of a caller, by the rules of every system. */
const lostInCalls = [0, 1, 2, 6, 7, 8, 9, 10, 11]

function set(registers: Map<number, Buffer>, register: number, value: Buffer | undefined): void {
  if (value === undefined) registers.delete(register)
  else registers.set(register, value)
}

function both(low: Buffer | undefined, high: Buffer | undefined): Buffer | undefined {
  if (low === undefined || high === undefined || low.length < 8 || high.length < 8) return undefined
  return Buffer.concat([low.subarray(0, 8), high.subarray(0, 8)])
}

function isExclusiveOr({ opcode, prefix }: Instruction): boolean {
  return opcode === 0x157 || (opcode === 0x1ef && prefix !== 0)
}

function exclusiveOr(value: Buffer | undefined, mask: Buffer | undefined): Buffer | undefined {
  return value === undefined || mask === undefined
    ? undefined
    : (value.map((byte, at) => byte ^ (mask[at] ?? 0)) as Buffer)
}

/** Other calculations with vectors. */
function isVector(opcode: number): boolean {
  return (opcode >= 0x150 && opcode <= 0x17f) || opcode >= 0x1c6 || (opcode >= 0x112 && opcode <= 0x117)
}

function sizeOf({ opcode, prefix, rex }: Instruction): number {
  if (opcode === 0xc6 || opcode === 0x88) return 1
  return (rex & 8) !== 0 ? 8 : prefix === 0x66 && opcode < 0x100 ? 2 : 4
}

function immediateOf(bytes: Buffer, { end, immediateSize }: Instruction): Buffer {
  const value = Buffer.alloc(8)
  bytes.copy(value, 0, end - immediateSize, end)
  return value
}

function signed(immediate: number, size: number): Buffer {
  const value = Buffer.alloc(8, immediate < 0 ? 0xff : 0)
  value.writeInt32LE(immediate)
  return value.subarray(0, size)
}

/** The size of what a vector register loads, or of what it stores as a negative number; 0 for another instruction. */
function vectorSizes({ opcode, prefix, mode }: Instruction): number {
  if (opcode === 0x110 || opcode === 0x128) return prefix === 0xf2 ? 8 : prefix === 0xf3 ? 4 : 16
  if (opcode === 0x16f && prefix !== 0) return 16
  if (opcode === 0x17e && prefix === 0xf3) return 8
  if (mode === 3) return 0
  if (opcode === 0x111 || opcode === 0x129) return prefix === 0xf2 ? -8 : prefix === 0xf3 ? -4 : -16
  if (opcode === 0x17f && prefix !== 0) return -16
  if (opcode === 0x113 || opcode === 0x1d6) return -8
  return opcode === 0x117 && prefix !== 0xf3 ? -8 : 0
}

/** Calculations whose result is in the operand that is not the register. */
function changesOther(opcode: number): boolean {
  return (
    (opcode < 0x38 && (opcode & 6) === 0) ||
    opcode === 0x81 ||
    opcode === 0x83 ||
    opcode === 0xc1 ||
    opcode === 0xd1 ||
    opcode === 0xd3 ||
    opcode === 0xf7
  )
}
