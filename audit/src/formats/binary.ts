import type { OtherFormat } from './audited-format.ts'

/** Bytes of no format that is known. */
export const binary: OtherFormat = {
  by: 'rest',
  name: 'binary',
}
