import type { BrokenVariants } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import { changing } from './lib/variant-answers.ts'

/** What a mint makes of the userId; anything but a string then fails as a crash would. */
const conversions: Readonly<Record<string, (value: unknown) => unknown>> = {
  'mints for "undefined"': String,
  'has an anonymous user for null only': (value) => (value === null ? 'anonymous' : value),
  'takes the first of an array': (value) => (Array.isArray(value) ? value[0] : value),
  'writes an object as JSON': (value) => (typeof value === 'object' ? JSON.stringify(value) : value),
}

export const broken: BrokenVariants = {
  ...rows(conversions, (convert) => ({ mint: { userId: (value) => text(convert(value)) } })),
  'crashes for what is not a string': { mint: changing(400, 500), as: 'warn' },
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error('userId is not a string')
  return value
}
