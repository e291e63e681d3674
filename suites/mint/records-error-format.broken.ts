import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { ofMint, warning } from '../lib/broken-rows.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

export const broken: BrokenVariants = {
  ...warning(
    ofMint({
      'repeats the key in its message': { refuse: echo((key) => key) },
      'repeats the key in base64': { refuse: echo((key) => Buffer.from(`key=${key}`).toString('base64')) },
      'repeats the key in hex': { refuse: echo((key) => Buffer.from(key).toString('hex')) },
      'repeats the key in escapes': { refuse: echo((key) => key.replaceAll('_', '%5F')) },
      'repeats the key in a header': {
        answer: (answer, { headers }) => ({
          ...answer,
          headers: { ...answer.headers, 'x-debug-request': headers.authorization ?? '' },
        }),
      },
      'repeats the key in a success': {
        answer: (answer, { headers }) =>
          answer.status === 200
            ? jsonAnswer({ ...JSON.parse(answer.body), request: { ...headers } })
            : answer,
      },
      'repeats the headers where nothing is found': {
        refuse: ({ status, message }, { headers }) =>
          jsonAnswer({ error: message, headers: status === 404 ? headers : undefined }, status),
      },
      'repeats the headers for other content types': {
        refuse: ({ status, message }, { headers }) =>
          jsonAnswer({ error: message, headers: status === 415 ? headers : undefined }, status),
      },
      'sets the key as a cookie': {
        answer: (answer, { headers }) => ({
          ...answer,
          headers: {
            ...answer.headers,
            'set-cookie': `client=${headers.authorization?.split(' ')[1] ?? ''}; HttpOnly`,
          },
        }),
      },
      'names the key by its beginning': claimingKey((key) => key.slice(0, 'ac_live_'.length + 8)),
      'names the key by its end': claimingKey((key) => `…${key.slice(-12)}`),
      'repeats the key for bad bodies only': {
        refuse: ({ status, message }, { headers }) =>
          jsonAnswer({ error: message, headers: status === 400 ? headers : undefined }, status),
      },
    }),
  ),
  'names the key in a claim': { mint: claimingKey((key) => key), as: 'fail' },
  'names the key in a claim, in base64': {
    mint: claimingKey((key) => Buffer.from(key).toString('base64')),
    as: 'fail',
  },
}

/** A mint whose tokens name the key of the caller. */
function claimingKey(write: (key: string) => string): NonNullable<Catch['mint']> {
  let key = ''
  return {
    presentedKey({ headers }) {
      key = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
      return key
    },
    claims: ({ userId }, { issuedAt, expiresAt }) => ({
      sub: userId,
      client: write(key),
      iat: issuedAt,
      exp: expiresAt,
    }),
  }
}

/** A `refuse` hook that echoes the presented key, encoded by `write`. */
function echo(write: (key: string) => string) {
  return (
    { status }: { readonly status: number },
    request: { readonly headers: { readonly authorization?: string } },
  ) =>
    jsonAnswer({ error: `not allowed: ${write(request.headers.authorization?.split(' ')[1] ?? '')}` }, status)
}
