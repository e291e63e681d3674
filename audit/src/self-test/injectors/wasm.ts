import { byteEncodings, plain } from '../encodings.ts'
import type { Injector, Wish } from '../injector.ts'
import { overwriteStrings, type Region } from '../overwrite.ts'

const dataSection = 11

/** Strings of the data section are overwritten; another custom section may be at the end of any module. */
export const webAssembly: Injector = {
  format: 'wasm',
  by: 'mark',
  recognises: (_, bytes) => bytes.length > 8 && bytes.readUInt32BE(0) === 0x0061736d,
  slots: [
    { slot: 'data segment', encodings: byteEncodings },
    { slot: 'custom section', encodings: [plain] },
  ],
  inject(bytes, wishes) {
    const inData = wishes.filter(({ slot }) => slot === 'data segment')
    const { bytes: copy, refused } = overwriteStrings(bytes, dataSections(bytes), inData, 'zero')
    const custom = wishes.filter(({ slot }) => slot === 'custom section').map(customSection)
    return { bytes: Buffer.concat([copy, ...custom]), refused }
  },
}

function customSection({ payload }: Wish): Buffer {
  const content = Buffer.concat([Buffer.from('\x06canary', 'latin1'), payload])
  return Buffer.concat([Buffer.from([0, content.length]), content])
}

function dataSections(bytes: Buffer): Region[] {
  const found: Region[] = []
  for (let at = 8; at < bytes.length; ) {
    const id = bytes.readUInt8(at)
    let size = 0
    let shift = 0
    let byte = 0x80
    for (at += 1; byte >= 0x80; at++, shift += 7) {
      byte = bytes.readUInt8(at)
      size += (byte & 0x7f) * 2 ** shift
    }
    if (id === dataSection) found.push({ start: at, end: at + size })
    at += size
  }
  return found
}
