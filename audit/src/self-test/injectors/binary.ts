import { byteEncodings } from '../encodings.ts'
import type { Injector } from '../injector.ts'

/** Plants canaries in files of any other format: behind the end, which readers of most formats skip. */
export const binary: Injector = {
  format: 'binary',
  by: 'contents',
  recognises: (_, bytes) => bytes.length > 0,
  slots: [{ slot: 'trailing bytes', encodings: byteEncodings }],
  inject: (bytes, wishes) => ({
    bytes: Buffer.concat([
      bytes,
      ...wishes.flatMap(({ payload }) => [Buffer.alloc(4), payload]),
      Buffer.alloc(4),
    ]),
    refused: new Map(),
  }),
}
