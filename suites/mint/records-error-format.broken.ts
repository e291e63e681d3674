import type { Catch } from '../../src/requirement/define.ts'
import { ofMint, warning } from '../lib/broken-rows.ts'
import { claiming, jsonAnswer, withHeader } from './lib/variant-answers.ts'

type Mint = NonNullable<Catch['mint']>

const keyIn = (authorization = '') => authorization.split(' ')[1] ?? ''

export const broken = {
  ...warning({
    ...ofMint({
      'repeats the key in its message, in base64': {
        refuse: ({ status }, { headers }) =>
          jsonAnswer({ error: `not allowed: ${btoa(`key=${keyIn(headers.authorization)}`)}` }, status),
      },
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
