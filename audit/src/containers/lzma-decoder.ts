import { CorruptData, copyBack, makeRoom, type Output } from './growing-output.ts'

/** How many bits of the position and of the byte before decide how a byte is coded. */
export interface Coding {
  readonly literalContextBits: number
  readonly literalPositionBits: number
  readonly positionBits: number
}

/** The one byte in which every format writes a coding down. @throws CorruptData for a byte that is none */
export function codingOf(byte: number): Coding {
  if (byte >= 225) throw new CorruptData()
  return {
    literalContextBits: byte % 9,
    literalPositionBits: Math.floor(byte / 9) % 5,
    positionBits: Math.floor(byte / 45),
  }
}

const states = 12
const half = 1024
const [endOfSlots, fullDistances] = [14, 128]

/** Probabilities of bits, each of one half at first. */
function probabilities(count: number): Uint16Array {
  return new Uint16Array(count).fill(half)
}

interface Lengths {
  readonly choice: Uint16Array
  readonly low: Uint16Array
  readonly mid: Uint16Array
  readonly high: Uint16Array
}

const createLengths = (): Lengths => ({
  choice: probabilities(2),
  low: probabilities(16 << 3),
  mid: probabilities(16 << 3),
  high: probabilities(256),
})

/** Everything that the decoder learns from what it has read. */
function createModel({ literalContextBits, literalPositionBits }: Coding) {
  return {
    state: 0,
    distances: new Float64Array(4),
    literals: probabilities(0x300 << (literalContextBits + literalPositionBits)),
    isMatch: probabilities(states << 4),
    isRepeat: probabilities(states),
    isRepeatOf0: probabilities(states),
    isRepeatOf1: probabilities(states),
    isRepeatOf2: probabilities(states),
    isLongRepeatOf0: probabilities(states << 4),
    slots: probabilities(4 << 6),
    special: probabilities(1 + fullDistances - endOfSlots),
    aligned: probabilities(16),
    matchLengths: createLengths(),
    repeatLengths: createLengths(),
  }
}

/** Reads bits whose probabilities it learns. */
function createRangeDecoder(input: Uint8Array) {
  let at = 0
  let range = 0
  let code = 0

  const byte = () => {
    const next = input[at]
    if (next === undefined) throw new CorruptData()
    at += 1
    return next
  }
  const bit = (probs: Uint16Array, index: number): 0 | 1 => {
    const prob = probs[index] ?? half
    const bound = (range >>> 11) * prob
    let read: 0 | 1 = 0
    if (code < bound) {
      range = bound
      probs[index] = prob + ((2048 - prob) >>> 5)
    } else {
      range -= bound
      code -= bound
      probs[index] = prob - (prob >>> 5)
      read = 1
    }
    if (range < 0x100_0000) {
      range = (range << 8) >>> 0
      code = ((code << 8) | byte()) >>> 0
    }
    return read
  }
  const direct = (count: number) => {
    let value = 0
    for (let left = count; left > 0; left--) {
      range >>>= 1
      const read = code >= range ? 1 : 0
      if (read === 1) code -= range
      value = value * 2 + read
      if (range < 0x100_0000) {
        range = (range << 8) >>> 0
        code = ((code << 8) | byte()) >>> 0
      }
    }
    return value
  }
  const tree = (probs: Uint16Array, bits: number, base: number) => {
    let node = 1
    for (let left = bits; left > 0; left--) node = (node << 1) | bit(probs, base + node)
    return node - (1 << bits)
  }
  const reverseTree = (probs: Uint16Array, bits: number, base: number) => {
    let node = 1
    let value = 0
    for (let index = 0; index < bits; index++) {
      const read = bit(probs, base + node)
      node = (node << 1) | read
      value |= read << index
    }
    return value
  }
  const begin = () => {
    range = 0xffff_ffff
    code = 0
    if (byte() !== 0) throw new CorruptData()
    for (let index = 0; index < 4; index++) code = ((code << 8) | byte()) >>> 0
  }
  return { begin, bit, direct, tree, reverseTree }
}

/** Reads a range-coded stretch into an output: what it has written is the dictionary, so that no size of one is needed. */
function createReader(input: Uint8Array, output: Output, coding: Coding) {
  const { begin, bit, direct, tree, reverseTree } = createRangeDecoder(input)
  const dictionaryStart = output.size
  const model = createModel(coding)

  const lengthBy = ({ choice, low, mid, high }: Lengths, position: number) => {
    if (bit(choice, 0) === 0) return 2 + tree(low, 3, position << 3)
    if (bit(choice, 1) === 0) return 10 + tree(mid, 3, position << 3)
    return 18 + tree(high, 8, 0)
  }
  const literal = () => {
    const { literalContextBits, literalPositionBits } = coding
    const { literals, distances } = model
    makeRoom(output, 1)
    const { bytes, size } = output
    const previous = size > dictionaryStart ? (bytes[size - 1] ?? 0) : 0
    const position = (size - dictionaryStart) & ((1 << literalPositionBits) - 1)
    const base = 0x300 * ((position << literalContextBits) + (previous >>> (8 - literalContextBits)))
    let node = 1
    if (model.state >= 7) {
      let match = bytes[size - (distances[0] ?? 0) - 1] ?? 0
      while (node < 0x100) {
        const expected = (match >>> 7) & 1
        match <<= 1
        const read = bit(literals, base + ((1 + expected) << 8) + node)
        node = (node << 1) | read
        if (expected !== read) break
      }
    }
    while (node < 0x100) node = (node << 1) | bit(literals, base + node)
    bytes[size] = node & 0xff
    output.size = size + 1
    model.state = model.state < 4 ? 0 : model.state < 10 ? model.state - 3 : model.state - 6
  }
  const distanceFor = (length: number) => {
    const slot = tree(model.slots, 6, Math.min(length - 2, 3) << 6)
    if (slot < 4) return slot
    const bits = (slot >>> 1) - 1
    const base = (2 | (slot & 1)) * 2 ** bits
    if (slot < endOfSlots) return base + reverseTree(model.special, bits, base - slot)
    return base + direct(bits - 4) * 16 + reverseTree(model.aligned, 4, 0)
  }
  /** Moves the distance that is used to the front of the last four. */
  const repeatedDistance = (position: number): 'short' | 'long' => {
    const { state, distances } = model
    if (bit(model.isRepeatOf0, state) === 0)
      return bit(model.isLongRepeatOf0, (state << 4) + position) === 0 ? 'short' : 'long'
    const which = bit(model.isRepeatOf1, state) === 0 ? 1 : bit(model.isRepeatOf2, state) === 0 ? 2 : 3
    const distance = distances[which] ?? 0
    distances.copyWithin(1, 0, which)
    distances[0] = distance
    return 'long'
  }
  /** `false` at the mark of the end. */
  const match = (position: number, limit: number): boolean => {
    const { state, distances } = model
    let length: number
    if (bit(model.isRepeat, state) === 1) {
      const kind = repeatedDistance(position)
      model.state = kind === 'short' ? (state < 7 ? 9 : 11) : state < 7 ? 8 : 11
      length = kind === 'short' ? 1 : lengthBy(model.repeatLengths, position)
    } else {
      length = lengthBy(model.matchLengths, position)
      model.state = state < 7 ? 7 : 10
      const distance = distanceFor(length)
      if (distance === 0xffff_ffff) return false
      distances.copyWithin(1, 0, 3)
      distances[0] = distance
    }
    const distance = (distances[0] ?? 0) + 1
    if (distance > output.size - dictionaryStart) throw new CorruptData()
    copyBack(output, distance, Math.min(length, limit - output.size))
    return true
  }

  return {
    /** Decodes until so much came out in all, or the mark of the end. */
    decode(limit: number) {
      begin()
      const mask = (1 << coding.positionBits) - 1
      while (output.size < limit) {
        const position = (output.size - dictionaryStart) & mask
        if (bit(model.isMatch, (model.state << 4) + position) === 0) literal()
        else if (!match(position, limit)) return
      }
    },
  }
}

/**
 * Decodes LZMA without a header.
 * @param size of the contents in bytes; `null` where only a mark ends them
 * @throws CorruptData
 */
export function decodeLzma(input: Uint8Array, coding: Coding, size: number | null, output: Output): void {
  const limit = size === null ? Number.POSITIVE_INFINITY : output.size + size
  createReader(input, output, coding).decode(limit)
  if (size !== null && output.size < limit) throw new CorruptData()
}
