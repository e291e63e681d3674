import type { BrokenVariants } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import { inHeader, takingJson, verifyingOne } from './lib/variant-raw-tokens.ts'
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
  'verifies the last payload of JSON, and reads the first': takingJson(
    ({ payload, protected: header, signature }, text) => ({
      read: text.split('"payload":"')[1]?.split('"')[0],
      verified: `${header}.${payload}.${signature}`,
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
