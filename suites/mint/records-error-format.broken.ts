import type { Catch } from '../../src/requirement/define.ts'
import { ofMint, rows, warning } from '../lib/broken-rows.ts'
import { claiming, jsonAnswer, withHeader } from './lib/variant-answers.ts'

type Mint = NonNullable<Catch['mint']>

const echoes: Readonly<Record<string, (key: string) => string>> = {
  'repeats the key in its message': (key) => key,
  'repeats the key in base64': (key) => Buffer.from(`key=${key}`).toString('base64'),
}

const keyIn = (authorization = '') => authorization.split(' ')[1] ?? ''

export const broken = {
  ...warning({
    ...rows(echoes, (write) => ({
      mint: {
        refuse: ({ status }, { headers }) =>
          jsonAnswer({ error: `not allowed: ${write(keyIn(headers.authorization))}` }, status),
      },
    })),
    ...ofMint({
      'repeats the headers where nothing is found': {
        refuse: ({ status, message }, { headers }) =>
          jsonAnswer({ error: message, headers: status === 404 ? headers : undefined }, status),
      },
      'repeats the key in a header': {
        answer: withHeader('x-debug-request', ({ headers }) => headers.authorization ?? ''),
      },
      'sets the key as a cookie': {
        answer: withHeader('set-cookie', ({ headers }) => `client=${keyIn(headers.authorization)}; HttpOnly`),
      },
      'repeats the key in a success': {
        answer: (answer, { headers }) =>
          answer.status === 200
            ? jsonAnswer({ ...JSON.parse(answer.body), request: { ...headers } })
            : answer,
      },
      'names the key by its beginning': claimingKey((key) => key.slice(0, 'ac_live_'.length + 8)),
      'names the key by its end': claimingKey((key) => `…${key.slice(-12)}`),
    }),
  }),
  ...ofMint({
    'names the key in a claim': claimingKey((key) => key),
  }),
}

function claimingKey(write: (key: string) => string): Mint {
  let key = ''
  return {
    presentedKey({ headers }) {
      key = keyIn(headers.authorization)
      return key
    },
    ...claiming(() => ({ client: write(key) })),
  }
}
