import type { BrokenVariants } from '../../src/requirement/define.ts'
import { decrypting, inflating } from './lib/variant-encryption.ts'

export const broken: BrokenVariants = {
  'takes claims that are encrypted to its key': decrypting({ key: 'EC', takes: 'claims' }),
  'takes claims that are encrypted to its RSA key': decrypting({
    key: 'RSA',
    algorithm: 'RSA-OAEP',
    takes: 'claims',
  }),
  'takes claims that are encrypted to its RSA key, with another hash': decrypting({
    key: 'RSA',
    algorithm: 'RSA-OAEP-256',
    takes: 'claims',
  }),
  'takes claims that are encrypted to its key with a wrapped key': decrypting({
    key: 'EC',
    algorithm: 'ECDH-ES+A256KW',
    takes: 'claims',
  }),
  'takes an unsigned token within an encrypted one': decrypting({ key: 'EC', takes: 'unsigned' }),
  'verifies no signature within an encrypted token': decrypting({ key: 'EC', takes: 'tampered' }),
  'has a key of zero bytes': decrypting({ key: new Uint8Array(32), takes: 'claims' }),
  'has a key of zero bytes, and verifies no signature within': decrypting({
    key: new Uint8Array(32),
    takes: 'unsigned',
  }),
  'takes what it has inflated': inflating({ course: 'takes it' }),
  'inflates until it has no memory left': inflating({ course: 'is down' }),
  'inflates while everyone waits': inflating({ course: 'is busy' }),
  'has an empty password': decrypting({ key: new Uint8Array(), takes: 'claims' }),
}
