import type { OpeningOf } from './container-format.ts'
import { readZip } from './zip-reader.ts'

const directoryEnd = Buffer.from('PK\x05\x06')

export const zip: OpeningOf<'entries'> = {
  opens: 'entries',
  name: 'zip',
  begins: [Buffer.from('PK')],
  // Other data may be before it.
  mayBe: (bytes) => bytes.includes(directoryEnd),
  read: readZip,
  isHead: (head) => head.toString('latin1', 0, 4) === 'PK\x03\x04',
}
