import { createHmac } from 'node:crypto'
import { signInput } from '../../src/base/tokens/sign-input.ts'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { ofSignaling, rows } from '../lib/broken-rows.ts'
import { earlyWelcomes, type Signaling, subjectOf } from './lib/variants.ts'

/** Under what a token that was accepted is remembered. */
const keys: Readonly<Record<string, NonNullable<Signaling['verdictKey']>>> = {
  'knows a signature again by its end': (token) => token.split('.')[2]?.slice(-20) ?? null,
  'knows a token again by its first letters': (token) => token.split('.').slice(0, 2).join('.').slice(0, 250),
  'remembers signatures that were accepted': (token) => token.split('.')[2] ?? null,
  'remembers payloads that were accepted': (token) => token.split('.')[1] ?? null,
  'remembers header and payload that were accepted': (token) => token.split('.').slice(0, 2).join('.'),
  'remembers users that were verified': subjectOf,
}

/** How signatures are compared, as bytes. */
const comparisons: Readonly<Record<string, (given: Buffer, right: Buffer) => boolean>> = {
  'compares the beginning of the signature, under headers with blanks': (given, right) =>
    given.subarray(0, 8).equals(right.subarray(0, 8)),
  'compares the end of the signature, under headers with blanks': (given, right) =>
    given.subarray(-8).equals(right.subarray(-8)),
  'compares signatures as text, under headers with blanks': (given, right) =>
    given.toString() === right.toString(),
}

export const broken: BrokenVariants = {
  ...ofSignaling({
    'decodes without verifying': { signatureHolds: () => true },
    'checks only that there is a signature': { signatureHolds: ({ signature }) => signature.length >= 64 },
    'asks for a known key only': {
      signatureHolds: ({ header }, trust) => trust.key(header).then(() => true),
    },
    'ignores what follows the third part': takingParts((parts) => parts),
    'ignores what follows the signature': takingParts((parts) =>
      parts.length === 3 ? parts.map((part, place) => (place === 2 ? part.slice(0, 86) : part)) : [],
    ),
  }),
  ...rows(keys, (verdictKey) => ({ signaling: { verdictKey } })),
  ...earlyWelcomes,
  'ignores empty parts behind the third': {
    signaling: takingParts((parts) => (parts.slice(3).join('') === '' ? parts : [])),
    as: 'warn',
  },
  ...rows(comparisons, comparingUnderBlanks),
}

/** Signaling that takes the first three of these for a token; the signature may not be empty. */
function takingParts(take: (parts: readonly string[]) => readonly string[]): Signaling {
  return {
    split(token) {
      const [header, payload, signature] = take(token.split('.'))
      return header && payload && signature ? [header, payload, signature] : null
    },
  }
}

/** A mint that writes headers as Python does, and signaling that compares signatures as `isEqual` says. */
function comparingUnderBlanks(isEqual: (given: Buffer, right: Buffer) => boolean): Catch {
  return {
    mint: {
      algorithm: 'HS256',
      token: (claims, header, { algorithm, secretKey }) => {
        const parts = [JSON.stringify(header).replaceAll('":"', '": "'), JSON.stringify(claims)]
        const input = parts.map((part) => Buffer.from(part).toString('base64url')).join('.')
        return signInput(input, { alg: algorithm, key: secretKey })
      },
    },
    signaling: {
      algorithms: ['HS256'],
      async signatureHolds({ header, signingInput, signature }, trust) {
        const key = await trust.key(header)
        if (!(key instanceof Uint8Array) || header['alg'] !== 'HS256') return false
        return isEqual(Buffer.from(signature), createHmac('sha256', key).update(signingInput).digest())
      },
    },
    configuration: { token: { jwks: null, signWith: null } },
  }
}
