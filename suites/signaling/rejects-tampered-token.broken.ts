import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import { comparingUnderBlanks } from './lib/headers-with-blanks.ts'
import { earlyWelcomes } from './lib/taking-back.ts'

/** Mistakes of signaling, one a row. */
const wrong: Readonly<Record<string, NonNullable<Catch['signaling']>>> = {
  'decodes without verifying': { signatureHolds: () => true },
  'checks only that there is a signature': { signatureHolds: ({ signature }) => signature.length >= 64 },
  'asks for a known key only': { signatureHolds: ({ header }, trust) => trust.key(header).then(() => true) },
  'ignores what follows the third part': {
    split(token) {
      const [header, payload, signature] = token.split('.')
      return header && payload && signature ? [header, payload, signature] : null
    },
  },
  'ignores what follows the signature': {
    split(token) {
      const [header, payload, signature, ...others] = token.split('.')
      const isWhole = header !== undefined && payload !== undefined && others.length === 0
      return isWhole ? [header, payload, (signature ?? '').slice(0, 86)] : null
    },
  },
  'knows a signature again by its end': {
    verdictKey: (credential) => credential.split('.')[2]?.slice(-20) ?? null,
  },
  'knows a token again by its first letters': {
    verdictKey: (credential) => credential.split('.').slice(0, 2).join('.').slice(0, 250),
  },
  'remembers signatures that were accepted': { verdictKey: (credential) => credential.split('.')[2] ?? null },
  'remembers payloads that were accepted': { verdictKey: (credential) => credential.split('.')[1] ?? null },
  'remembers header and payload that were accepted': {
    verdictKey: (credential) => credential.split('.').slice(0, 2).join('.'),
  },
  'remembers users that were verified': {
    verdictKey: (credential) =>
      /"sub":"[^"]*"/.exec(Buffer.from(credential.split('.')[1] ?? '', 'base64url').toString())?.[0] ?? null,
  },
}

export const broken: BrokenVariants = {
  ...rows(wrong, (signaling) => ({ signaling })),
  ...earlyWelcomes,
  'ignores empty parts behind the third': {
    signaling: { split: ignoringEmptyParts },
    as: 'warn',
  },
  'compares the beginning of the signature, under headers with blanks': comparingUnderBlanks((given, right) =>
    given.subarray(0, 8).equals(right.subarray(0, 8)),
  ),
  'compares the end of the signature, under headers with blanks': comparingUnderBlanks((given, right) =>
    given.subarray(-8).equals(right.subarray(-8)),
  ),
  'compares signatures as text, under headers with blanks': comparingUnderBlanks(
    (given, right) => given.toString() === right.toString(),
  ),
}

function ignoringEmptyParts(token: string): readonly [string, string, string] | null {
  const [header, payload, signature, ...others] = token.split('.')
  return header && payload && signature && others.every((part) => part === '')
    ? [header, payload, signature]
    : null
}
