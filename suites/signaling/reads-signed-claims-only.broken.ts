import { compactVerify, decodeProtectedHeader } from 'jose'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import { alsoTaking, type IsTaken } from './lib/variants.ts'

const headerOf = (token: string) => Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8')

/** Tokens of which signaling verifies nothing. */
const taken: Readonly<Record<string, IsTaken>> = {
  'takes the first of two algorithms': ({ token }) => headerOf(token).startsWith('{"alg":"none"'),
  'takes the last of two algorithms, and none for an algorithm': ({ header }) => header['alg'] === 'none',
  'looks for the key under the first kid, and verifies nothing without one': ({ token }) =>
    headerOf(token).startsWith('{"kid":"none"'),
  'takes a payload that is not encoded for one that is not signed': ({ header }) => header['b64'] === false,
}

/** The token that a service reads in a credential, and the one that it verifies: empty for none, absent for the usual one. */
type Take = (credential: string) => {
  readonly read?: string | undefined
  readonly verified?: string | undefined
}

const takes: Readonly<Record<string, Take>> = {
  'verifies all signatures of a list that is empty': (credential) => {
    const { payload, signatures } = jsonOf(credential)
    return signatures?.length === 0 ? { read: `${jsonHeader}.${payload}.`, verified: '' } : {}
  },
  'takes flattened JSON without verifying it': (credential) => {
    const { payload, signature } = jsonOf(credential)
    return signature === undefined ? {} : { read: `${jsonHeader}.${payload}.`, verified: '' }
  },
  'verifies the first payload of JSON, and reads the last': (credential) => {
    const { payload, protected: header, signature } = jsonOf(credential)
    const first = credential.split('"payload":"')[1]?.split('"')[0]
    if (header === undefined) return {}
    return { read: `${header}.${payload}.${signature}`, verified: `${header}.${first}.${signature}` }
  },
  'verifies the last three parts, and reads the first': (credential) => {
    const parts = credential.split('.')
    if (parts.length !== 6) return {}
    return { read: parts.slice(0, 3).join('.'), verified: parts.slice(3).join('.') }
  },
  'verifies the end of five parts, and reads the beginning': (credential) => {
    const [header, payload, ...genuine] = credential.split('.')
    return genuine.length === 3 ? { read: `${header}.${payload}.`, verified: genuine.join('.') } : {}
  },
  'verifies without the second of four parts, and reads it': (credential) => {
    const [header, payload, signed, signature, ...more] = credential.split('.')
    if (signature === undefined || more.length > 0) return {}
    return { read: `${header}.${payload}.${signature}`, verified: `${header}.${signed}.${signature}` }
  },
  'verifies the last of two tokens, and reads the first': (credential) => {
    const [read, verified] = credential.split('~')
    return { read, verified }
  },
  'verifies the first of two tokens, and reads the last': (credential) => {
    const [verified, read] = credential.split(', ')
    return { read, verified }
  },
  'verifies up to the padding, and reads on behind it': (credential) => {
    const [header, payload = '', signature] = credential.split('.')
    const [signed, behind = ''] = payload.split('=')
    if (behind === '') return {}
    return { read: `${header}.${behind}.${signature}`, verified: `${header}.${signed}.${signature}` }
  },
}

export const broken: BrokenVariants = {
  ...rows(taken, (isTaken) => ({ signaling: alsoTaking(isTaken) })),
  ...rows(takes, readingAnother),
}

const jsonHeader = Buffer.from('{"alg":"json"}').toString('base64url')

interface JsonToken {
  readonly protected?: string
  readonly payload?: string
  readonly signature?: string
  readonly signatures?: readonly unknown[]
}

/** The members of a token in JSON; none of any other. */
function jsonOf(credential: string): JsonToken {
  return credential.startsWith('{') ? JSON.parse(credential) : {}
}

/** A service that reads another token than the one that it verifies. */
function readingAnother(take: Take): Catch {
  const verifiedOf = new Map<string, string>()
  return {
    signaling: {
      // A header carries what a subprotocol cannot.
      carriage: { in: 'header', name: 'Authorization', template: 'Bearer {jwt}' },
      async open(credential) {
        const { read = credential, verified } = take(credential)
        if (verified !== undefined) verifiedOf.set(read, verified)
        return read
      },
      async signatureHolds({ token }, trust, usual) {
        const verified = verifiedOf.get(token)
        if (verified === undefined || verified === '') return verified === '' || usual()
        const key = await trust.key({ ...decodeProtectedHeader(verified) })
        return await compactVerify(verified, key).then(() => true)
      },
    },
  }
}
