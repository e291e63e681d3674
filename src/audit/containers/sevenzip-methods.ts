import { inflateRawSync, zstdDecompressSync } from 'node:zlib'
import {
  restoreArm,
  restoreArm64,
  restoreBranches,
  restoreDifferences,
  restorePowerPc,
  restoreThumb,
} from './byte-filters.ts'
import { expandBzip2 } from './bzip2.ts'
import type { Decompressed } from './compressed-file.ts'
import { decompressedBy } from './growing-output.ts'
import { codingOf, decodeLzma, decodeLzma2 } from './lzma-decoder.ts'
import type { Coder } from './sevenzip-header.ts'
import { joinBranches } from './split-branches.ts'

/** One step of decompression: what goes in, what the archive says about it, and how large the result may be. */
type Method = (inputs: readonly Buffer[], coder: Coder, bound: number) => Decompressed

const nothing = Buffer.alloc(0)

/** By their numbers in an archive, in hexadecimal. */
export const methods: Readonly<Record<string, Method>> = {
  '00': ([bytes = nothing]) => ({ bytes, end: 'whole' }),
  '03': onCopy((bytes, { properties }) => restoreDifferences(bytes, (properties[0] ?? 0) + 1)),
  '04': onCopy(restoreBranches),
  '03030103': onCopy(restoreBranches),
  '05': onCopy(restorePowerPc),
  '03030205': onCopy(restorePowerPc),
  '07': onCopy(restoreArm),
  '03030501': onCopy(restoreArm),
  '08': onCopy(restoreThumb),
  '03030701': onCopy(restoreThumb),
  '0a': onCopy(restoreArm64),
  '0303011b': ([main = nothing, calls = nothing, jumps = nothing, bits = nothing], { size }, bound) =>
    decompressedBy(bound, Math.min(size, main.length * 2), (output) =>
      joinBranches({ main, calls, jumps, bits }, size, output),
    ),
  '21': ([bytes = nothing], { size }, bound) =>
    decompressedBy(bound, Math.min(size, bytes.length * 4), (output) => {
      decodeLzma2(bytes, output)
    }),
  '030101': ([bytes = nothing], { size, properties }, bound) =>
    decompressedBy(bound, Math.min(size, bytes.length * 4), (output) => {
      decodeLzma(bytes, codingOf(properties.readUInt8(0)), size, output)
    }),
  '040108': native(inflateRawSync),
  '040202': ([bytes = nothing], _, bound) => expandBzip2(bytes, bound),
  '04f71101': native(zstdDecompressSync),
}

/** By zlib, which throws for whatever it cannot read. */
function native(decompress: (bytes: Buffer, options: { maxOutputLength: number }) => Buffer): Method {
  return ([bytes = nothing], { size }, bound) => {
    if (size > bound) return { bytes: null, end: 'limit' }
    try {
      return { bytes: decompress(bytes, { maxOutputLength: Math.max(1, size) }), end: 'whole' }
    } catch {
      return { bytes: null, end: 'corrupt' }
    }
  }
}

/** What works in place, on a copy: the input may be the file itself. */
function onCopy(restore: (bytes: Buffer, coder: Coder) => void): Method {
  return ([bytes = nothing], coder) => {
    const copy = Buffer.from(bytes)
    restore(copy, coder)
    return { bytes: copy, end: 'whole' }
  }
}
