import { CorruptData, makeRoom, type Output } from './growing-output.ts'

/** The four streams of 7z's BCJ2: code, the addresses of calls and of jumps, and which of them were moved. */
interface SplitCode {
  readonly main: Buffer
  readonly calls: Buffer
  readonly jumps: Buffer
  readonly bits: Buffer
}

const half = 1024

/** Puts x86 code together again. @param size of the whole in bytes @throws CorruptData */
export function joinBranches({ main, calls, jumps, bits }: SplitCode, size: number, output: Output): void {
  const isMoved = createBits(bits)
  const at = { main: 0, calls: 0, jumps: 0 }
  const end = output.size + size
  const write = (byte: number) => {
    makeRoom(output, 1)
    output.bytes[output.size] = byte
    output.size += 1
  }
  let previous = 0
  while (output.size < end) {
    const byte = main[at.main]
    if (byte === undefined) throw new CorruptData()
    at.main += 1
    write(byte)
    const before = previous
    previous = byte
    const isCall = byte === 0xe8
    if (!isCall && byte !== 0xe9 && !(before === 0x0f && (byte & 0xf0) === 0x80)) continue
    if (output.size >= end) return
    if (!isMoved(isCall ? 2 + before : byte === 0xe9 ? 1 : 0)) continue
    const address = isCall ? calls.readUInt32BE(at.calls) : jumps.readUInt32BE(at.jumps)
    if (isCall) at.calls += 4
    else at.jumps += 4
    const distance = (address - (output.size + 4)) >>> 0
    for (let shift = 0; shift < 32 && output.size < end; shift += 8) write((distance >>> shift) & 0xff)
    previous = distance >>> 24
  }
}

/** The same coder as LZMA's, for a bit at a time. */
function createBits(input: Buffer): (index: number) => boolean {
  const probs = new Uint16Array(258).fill(half)
  let range = 0xffff_ffff
  let code = input.readUInt32BE(1)
  let at = 5
  return (index) => {
    // The first bits are read before anything is shifted in.
    if (range < 0x100_0000) {
      range = (range << 8) >>> 0
      code = ((code << 8) | input.readUInt8(at)) >>> 0
      at += 1
    }
    const prob = probs[index] ?? half
    const bound = (range >>> 11) * prob
    if (code < bound) {
      range = bound
      probs[index] = prob + ((2048 - prob) >>> 5)
      return false
    }
    range -= bound
    code -= bound
    probs[index] = prob - (prob >>> 5)
    return true
  }
}
