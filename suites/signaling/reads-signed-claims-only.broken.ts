import { compactVerify, decodeProtectedHeader } from 'jose'
import type { BrokenVariants, Catch, Policies } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import { alsoTaking } from './lib/variants.ts'

const headerOf = (token: string) => Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8')

/** Tokens of which signaling verifies nothing. */
const taken: Readonly<Record<string, Parameters<typeof alsoTaking>[0]>> = {
  'takes the first of two algorithms': ({ token }) => headerOf(token).startsWith('{"alg":"none"'),
  'takes the last of two algorithms, and none for an algorithm': ({ header }) => header['alg'] === 'none',
  'looks for the key under the first kid, and verifies nothing without one': ({ token }) =>
    headerOf(token).startsWith('{"kid":"none"'),
  'takes a payload that is not encoded for one that is not signed': ({ header }) => header['b64'] === false,
}

export const broken: BrokenVariants = {
  ...rows(taken, (isTaken) => ({ signaling: alsoTaking(isTaken) })),
  'verifies all signatures of a list that is empty': takingJson(({ signatures, payload }) =>
    signatures?.length === 0 ? { read: payload, verified: null } : null,
  ),
  'takes flattened JSON without verifying it': takingJson(({ payload, signature }) =>
    signature === undefined ? null : { read: payload, verified: null },
  ),
  'verifies the first payload of JSON, and reads the last': takingJson(
    ({ payload, protected: header, signature }, text) => ({
      read: payload,
      verified: `${header}.${text.split('"payload":"')[1]?.split('"')[0]}.${signature}`,
    }),
  ),
  'verifies the last three parts, and reads the first': verifyingOne((token) => {
    const parts = token.split('.')
    return parts.length === 6 ? [parts.slice(0, 3), parts.slice(3)] : null
  }),
  'verifies the end of five parts, and reads the beginning': verifyingOne((token) => {
    const [header = '', payload = '', ...genuine] = token.split('.')
    return genuine.length === 3 ? [[header, payload, ''], genuine] : null
  }),
  'verifies without the second of four parts, and reads it': verifyingOne((token) => {
    const [header = '', payload = '', signed = '', signature = '', ...more] = token.split('.')
    return signature === '' || more.length > 0
      ? null
      : [
          [header, payload, signature],
          [header, signed, signature],
        ]
  }),
  'verifies the last of two tokens, and reads the first': verifyingOne((token) => {
    const [first, last] = token.split('~')
    return first === undefined || last === undefined ? null : [first.split('.'), last.split('.')]
  }),
  'verifies the first of two tokens, and reads the last': inHeader(
    verifyingOne((token) => {
      const [first, last] = token.split(', ')
      return first === undefined || last === undefined ? null : [last.split('.'), first.split('.')]
    }),
  ),
  'verifies up to the padding, and reads on behind it': inHeader(
    verifyingOne((token) => {
      const [header = '', payload = '', signature = ''] = token.split('.')
      const [signed = '', behind] = payload.split('=')
      return behind === undefined || behind === ''
        ? null
        : [
            [header, behind, signature],
            [header, signed, signature],
          ]
    }),
  ),
}

type Signaling = Policies['signaling']
type Parts = readonly string[]

/** A service that reads one token, or no whole one, and verifies another. */
function verifyingOne(take: (token: string) => readonly [read: Parts, verified: Parts] | null): Catch {
  const verifiedOf = new Map<string, string>()
  return {
    signaling: {
      split(token) {
        const taken = take(token)
        const [header, payload, signature, ...more] = taken?.[0] ?? token.split('.')
        if (header === undefined || payload === undefined || signature === undefined || more.length > 0)
          return null
        if (taken !== null) verifiedOf.set(`${header}.${payload}.${signature}`, taken[1].join('.'))
        return [header, payload, signature]
      },
      async signatureHolds({ token }, trust, usual) {
        const verified = verifiedOf.get(token)
        return verified === undefined ? usual() : await isGenuine(verified, trust)
      },
    },
  }
}

interface JsonToken {
  readonly protected?: string
  readonly payload?: string
  readonly signature?: string
  readonly signatures?: readonly unknown[]
}

/** A service that also takes JSON; `verified` is null where it verifies nothing. */
function takingJson(
  take: (json: JsonToken, text: string) => { read: string | undefined; verified: string | null } | null,
): Catch {
  return inHeader({
    signaling: {
      async open(credential, usual) {
        if (!credential.startsWith('{')) return usual()
        const taken = take(JSON.parse(credential), credential)
        if (taken?.read === undefined) return usual()
        return `json.${taken.read}.${Buffer.from(taken.verified ?? '').toString('base64url')}`
      },
      split(token) {
        const [header, payload, signature, ...more] = token.split('.')
        if (payload === undefined || signature === undefined || more.length > 0) return null
        const known = Buffer.from('{"alg":"json"}').toString('base64url')
        return [header === 'json' ? known : (header ?? ''), payload, signature]
      },
      async signatureHolds({ header, signature }, trust, usual) {
        if (header['alg'] !== 'json') return usual()
        const verified = Buffer.from(signature).toString('utf8')
        return verified === '' || (await isGenuine(verified, trust))
      },
    },
  })
}

/** A header carries what a subprotocol cannot. */
function inHeader(variant: Catch): Catch {
  const carriage = { in: 'header', name: 'Authorization', template: 'Bearer {jwt}' } as const
  return { ...variant, signaling: { ...variant.signaling, carriage } }
}

async function isGenuine(token: string, trust: Parameters<Signaling['signatureHolds']>[1]): Promise<boolean> {
  try {
    await compactVerify(token, await trust.key({ ...decodeProtectedHeader(token) }))
    return true
  } catch {
    return false
  }
}
