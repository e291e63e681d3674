import type { BrokenVariants } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import { type Decrypting, decrypting, inflating } from './lib/variant-encryption.ts'

/** The key that a service decrypts with, and what it takes of the content. */
const decryptors: Readonly<Record<string, Decrypting>> = {
  'takes claims that are encrypted to its key': { key: 'EC', takes: 'claims' },
  'takes claims that are encrypted to its RSA key': { key: 'RSA', algorithm: 'RSA-OAEP', takes: 'claims' },
  'takes claims that are encrypted to its RSA key, with another hash': {
    key: 'RSA',
    algorithm: 'RSA-OAEP-256',
    takes: 'claims',
  },
  'takes claims that are encrypted to its key with a wrapped key': {
    key: 'EC',
    algorithm: 'ECDH-ES+A256KW',
    takes: 'claims',
  },
  'takes an unsigned token within an encrypted one': { key: 'EC', takes: 'unsigned' },
  'verifies no signature within an encrypted token': { key: 'EC', takes: 'tampered' },
  'has a key of zero bytes': { key: new Uint8Array(32), takes: 'claims' },
  'has a key of zero bytes, and verifies no signature within': {
    key: new Uint8Array(32),
    takes: 'unsigned',
  },
  'has an empty password': { key: new Uint8Array(), takes: 'claims' },
}

export const broken: BrokenVariants = {
  ...rows(decryptors, decrypting),
  'takes what it has inflated': inflating('takes it'),
  'inflates until it has no memory left': inflating('is down'),
  'inflates while everyone waits': inflating('is busy'),
}
