import type { MarkedFormat } from './audited-format.ts'
import { readStrings } from './hermes-strings.ts'

const magic = Buffer.from('c61fbc03c103191f', 'hex')

export const hermes: MarkedFormat = {
  by: 'mark',
  name: 'hermes',
  marks: [magic.readUInt32BE()],
  isMeant: (bytes) => bytes.subarray(0, 8).equals(magic),
  lengthAt: 32,
  read: readStrings,
}
