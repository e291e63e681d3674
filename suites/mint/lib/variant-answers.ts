import type { Catch } from '../../../src/requirement/define.ts'

type Mint = NonNullable<Catch['mint']>

/** A response of a broken variant, in the format of the reference. */
export function jsonAnswer(value: unknown, status = 200) {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  }
}

/** A mint that rejects with another status. */
export function refusing(status: number): Mint {
  return { refuse: () => jsonAnswer({ error: 'no' }, status) }
}

/** A mint whose rejections carry a token. */
export const refusingWithToken: Mint = {
  refuse: async ({ status, message }, _, { issueFreely }) =>
    jsonAnswer({ error: message, token: await issueFreely('any-user') }, status),
}

/** A mint that changes its answers of one status to another one. */
export function changing(from: number, to: number): Mint {
  return { answer: (usual) => (usual.status === from ? jsonAnswer({ error: 'failed' }, to) : usual) }
}
