import { byteEncodings } from '../encodings.ts'
import type { Injector } from '../injector.ts'

/** What no other injector knows: bytes behind the end, which readers of most formats pass over. */
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
