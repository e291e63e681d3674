import { CorruptData, makeRoom, type Output } from './growing-output.ts'

const streamMark = 0x425a68
/** How a block begins, and what stands in a block's place behind the last one; 48 bits each. */
const blockMark = [0x314159, 0x265359] as const
const endMark = [0x177245, 0x385090] as const
const blockUnit = 100_000

/** Each group of so many symbols has one of the block's codes. */
const groupLength = 50
const longestCode = 20
/** Codes of up to so many bits are looked up at once. */
const lookupBits = 10
/** Of a looked-up entry, the bits of the length; those above are the symbol. */
const lengthBits = 5
/** A byte that is further back in the list of recent ones is moved to its front by a copy. */
const nearFront = 24
/** So many equal bytes are followed by the number of those that are left out. */
const runLength = 4
const longestRun = 255

/** What is read bit by bit, the highest of a byte first. */
interface Bits {
  readonly input: Uint8Array
  /** The next byte to fill the window with. */
  at: number
  /** Its lowest `held` bits are the next ones. */
  window: number
  held: number
}

/** Fills the window to 25 bits and more. What is behind the end reads as zeros, until it is found out. */
function fill(bits: Bits): void {
  while (bits.held <= 24) {
    bits.window = (bits.window << 8) | (bits.input[bits.at] ?? 0)
    bits.at += 1
    bits.held += 8
  }
}

/** At most 24 bits. @throws CorruptData where the input has ended */
function read(bits: Bits, count: number): number {
  fill(bits)
  bits.held -= count
  mustNotBeOver(bits)
  return (bits.window >>> bits.held) & ((1 << count) - 1)
}

function mustNotBeOver({ input, at, held }: Bits): void {
  if (at * 8 - held > input.length * 8) corrupt()
}

function read32(bits: Bits): number {
  return ((read(bits, 16) << 16) | read(bits, 16)) >>> 0
}

function isAtEnd({ input, at, held }: Bits): boolean {
  return at - (held >>> 3) >= input.length
}

/** A canonical Huffman code. */
interface Code {
  /** By the next bits: a symbol and the length of its code, or 0 where that is longer than `lookupBits`. */
  readonly lookup: Uint16Array
  /** By the length of a code: the last code of that length; where the first one's symbol is, less that code. */
  readonly last: Int32Array
  readonly offset: Int32Array
  /** In the order of their codes. */
  readonly symbols: Uint16Array
}

function createCode(lengths: Uint8Array): Code {
  const counts = new Int32Array(longestCode + 2)
  for (const length of lengths) counts[length] = (counts[length] as number) + 1
  const last = new Int32Array(longestCode + 1).fill(-1)
  const offset = new Int32Array(longestCode + 1)
  const symbols = new Uint16Array(lengths.length)
  const lookup = new Uint16Array(1 << lookupBits)
  let code = 0
  let index = 0
  for (let length = 1; length <= longestCode; length++) {
    offset[length] = index - code
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue
      symbols[index] = symbol
      index += 1
      if (length <= lookupBits) {
        const first = code << (lookupBits - length)
        lookup.fill((symbol << lengthBits) | length, first, first + (1 << (lookupBits - length)))
      }
      code += 1
    }
    if ((counts[length] as number) > 0) last[length] = code - 1
    code <<= 1
  }
  return { lookup, last, offset, symbols }
}

/** Reads the symbols of a group, up to the last one of the block; returns how many they are. */
function readGroup(
  bits: Bits,
  { lookup, last, offset, symbols }: Code,
  endOfBlock: number,
  into: Uint16Array,
): number {
  const { input } = bits
  let { at, window, held } = bits
  let count = 0
  while (count < groupLength) {
    while (held <= 24) {
      window = (window << 8) | (input[at] as number)
      at += 1
      held += 8
    }
    const found = lookup[(window >>> (held - lookupBits)) & ((1 << lookupBits) - 1)] as number
    let symbol = found >>> lengthBits
    if (found !== 0) held -= found & ((1 << lengthBits) - 1)
    else {
      const next = (window >>> (held - longestCode)) & ((1 << longestCode) - 1)
      let length = lookupBits + 1
      while (length <= longestCode && next >>> (longestCode - length) > (last[length] as number)) length += 1
      if (length > longestCode) corrupt()
      symbol = symbols[(next >>> (longestCode - length)) + (offset[length] as number)] ?? corrupt()
      held -= length
    }
    into[count] = symbol
    count += 1
    if (symbol === endOfBlock) break
  }
  bits.at = at
  bits.window = window
  bits.held = held
  mustNotBeOver(bits)
  return count
}

function corrupt(): never {
  throw new CorruptData()
}

/** Takes what is at a position of the list, and puts it in front. */
function moveToFront(list: Uint8Array, position: number): number {
  const value = list[position] as number
  if (position < nearFront) for (let at = position; at > 0; at--) list[at] = list[at - 1] as number
  else list.copyWithin(1, 0, position)
  list[0] = value
  return value
}

/** The bytes that occur in the block, in their order. */
function readAlphabet(bits: Bits): Uint8Array {
  const rows = read(bits, 16)
  const found: number[] = []
  for (let row = 0; row < 16; row++) {
    if ((rows & (0x8000 >>> row)) === 0) continue
    const columns = read(bits, 16)
    for (let column = 0; column < 16; column++)
      if ((columns & (0x8000 >>> column)) !== 0) found.push(row * 16 + column)
  }
  if (found.length === 0) corrupt()
  return Uint8Array.from(found)
}

/** Which code each group of symbols has. */
function readSelectors(bits: Bits, codes: number): Uint8Array {
  const selectors = new Uint8Array(read(bits, 15))
  const recent = Uint8Array.from({ length: codes }, (_, index) => index)
  for (let index = 0; index < selectors.length; index++) {
    let position = 0
    while (read(bits, 1) === 1) position += 1
    if (position >= codes) corrupt()
    selectors[index] = moveToFront(recent, position)
  }
  return selectors
}

function readCode(bits: Bits, symbols: number): Code {
  const lengths = new Uint8Array(symbols)
  let length = read(bits, 5)
  for (let symbol = 0; symbol < symbols; symbol++) {
    while (read(bits, 1) === 1) {
      length += read(bits, 1) === 0 ? 1 : -1
      if (length < 1 || length > longestCode) corrupt()
    }
    if (length < 1 || length > longestCode) corrupt()
    lengths[symbol] = length
  }
  return createCode(lengths)
}

/** Reads the bytes of a block, as the sort has left them, into the low bytes of `into`; returns how many they are. */
function readSorted(bits: Bits, into: Uint32Array): number {
  const recent = readAlphabet(bits)
  // Two symbols count repetitions; a byte at the front is never named by itself; the last symbol ends the block.
  const endOfBlock = recent.length + 1
  const codeCount = read(bits, 3)
  if (codeCount < 2 || codeCount > 6) corrupt()
  const selectors = readSelectors(bits, codeCount)
  const codes = Array.from({ length: codeCount }, () => readCode(bits, endOfBlock + 1))
  let count = 0
  let repeated = 0
  let weight = 1
  const group = new Uint16Array(groupLength)
  for (const selector of selectors) {
    const length = readGroup(bits, codes[selector] as Code, endOfBlock, group)
    for (let index = 0; index < length; index++) {
      const symbol = group[index] as number
      if (symbol <= 1) {
        if (weight > into.length) corrupt()
        repeated += weight << symbol
        weight *= 2
        continue
      }
      if (repeated > 0) {
        if (count + repeated > into.length) corrupt()
        into.fill(recent[0] as number, count, count + repeated)
        count += repeated
        repeated = 0
        weight = 1
      }
      if (symbol === endOfBlock) return count
      if (count >= into.length) corrupt()
      into[count] = moveToFront(recent, symbol - 1)
      count += 1
    }
  }
  return corrupt()
}

/** Puts above each byte where the one that follows it is. */
function linkSuccessors(sorted: Uint32Array, count: number): void {
  const next = new Uint32Array(256)
  for (let at = 0; at < count; at++) {
    const byte = sorted[at] as number
    next[byte] = (next[byte] as number) + 1
  }
  let sum = 0
  for (let byte = 0; byte < 256; byte++) {
    const occurrences = next[byte] as number
    next[byte] = sum
    sum += occurrences
  }
  for (let at = 0; at < count; at++) {
    const byte = (sorted[at] as number) & 0xff
    const to = next[byte] as number
    next[byte] = to + 1
    sorted[to] = (sorted[to] as number) | (at << 8)
  }
}

/** The checksum of bzip2 goes through the bits of a byte from the highest. */
const checksums = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24
  for (let bit = 0; bit < 8; bit++) sum = sum < 0 ? (sum << 1) ^ 0x04c11db7 : sum << 1
  return sum >>> 0
})

/** Writes the bytes in the order of their links, with their runs written out; returns the checksum of what it wrote. */
function writeLinked(linked: Uint32Array, count: number, start: number, output: Output): number {
  let link = (linked[start] as number) >>> 8
  let sum = -1
  let equal = 0
  let previous = -1
  let { bytes, size } = output
  for (let left = count; left > 0; left--) {
    link = linked[link] as number
    const byte = link & 0xff
    link >>>= 8
    if (size + longestRun > bytes.length) {
      output.size = size
      // Near the bound there is less room than that.
      makeRoom(output, equal === runLength ? byte : 1)
      bytes = output.bytes
    }
    if (equal === runLength) {
      bytes.fill(previous, size, size + byte)
      size += byte
      for (let more = byte; more > 0; more--)
        sum = (sum << 8) ^ (checksums[(sum >>> 24) ^ previous] as number)
      equal = 0
      previous = -1
      continue
    }
    equal = byte === previous ? equal + 1 : 1
    previous = byte
    bytes[size] = byte
    size += 1
    sum = (sum << 8) ^ (checksums[(sum >>> 24) ^ byte] as number)
  }
  output.size = size
  return ~sum >>> 0
}

/**
 * Decompresses one bzip2 stream after the other.
 * @throws CorruptData where the input ends early or is damaged; what came before it is in the output
 */
export function decodeBzip2(input: Uint8Array, output: Output): void {
  const bits: Bits = { input, at: 0, window: 0, held: 0 }
  let block = new Uint32Array(0)
  do {
    if (read(bits, 24) !== streamMark) corrupt()
    const level = read(bits, 8) - 0x30
    if (level < 1 || level > 9) corrupt()
    if (block.length < level * blockUnit) block = new Uint32Array(level * blockUnit)
    let whole = 0
    for (;;) {
      const checksum = readBlock(bits, block.subarray(0, level * blockUnit), output)
      if (checksum === null) break
      whole = ((whole << 1) | (whole >>> 31)) ^ checksum
    }
    if (read32(bits) !== whole >>> 0) corrupt()
    read(bits, bits.held % 8)
  } while (!isAtEnd(bits))
}

/** Writes what a block contains, and returns its checksum; null where the stream ends instead. */
function readBlock(bits: Bits, block: Uint32Array, output: Output): number | null {
  const mark = [read(bits, 24), read(bits, 24)]
  if (mark[0] === endMark[0] && mark[1] === endMark[1]) return null
  if (mark[0] !== blockMark[0] || mark[1] !== blockMark[1]) corrupt()
  const checksum = read32(bits)
  // Blocks whose bytes were changed at random are of before 1997.
  if (read(bits, 1) === 1) corrupt()
  const start = read(bits, 24)
  const count = readSorted(bits, block)
  if (start >= count) corrupt()
  linkSuccessors(block, count)
  if (writeLinked(block, count, start, output) !== checksum) corrupt()
  return checksum
}
