import { setTimeout } from 'node:timers/promises'
import type { BrokenVariants } from '../../src/requirement/define.ts'
import { ofMint, warning } from '../lib/broken-rows.ts'

export const broken: BrokenVariants = {
  ...warning(
    ofMint({
      'admits pages of any origin': { answer: withHeader('access-control-allow-origin', '*') },
      'admits whatever origin asks': {
        answer: (answer, { headers }) => ({
          ...answer,
          headers: { ...answer.headers, 'access-control-allow-origin': headers['origin'] ?? 'null' },
        }),
      },
      'admits any origin by preflight only': {
        answer: (answer, { method }) =>
          method === 'OPTIONS'
            ? { status: 204, headers: { 'access-control-allow-origin': '*' }, body: '' }
            : answer,
      },
      'fails where the body is no JSON object': {
        answer: (usual, { body }) =>
          body === null || (body.startsWith('{') && body.endsWith('}'))
            ? usual
            : { status: 500, headers: {}, body: '{"error":"internal"}' },
      },
      'lets tokens be cached': { answer: withHeader('cache-control', 'max-age=60') },
      'says nothing about caches': {
        answer: ({ status, body }) => ({ status, headers: { 'content-type': 'application/json' }, body }),
      },
    }),
  ),
  'admits pages of any origin, and is late for one': {
    mint: { answer: lateForFirstOrigin(9_000) },
    configuration: { limits: { requestSeconds: 8 } },
    as: 'warn',
  },
}

/** Admits tokens to every origin, and answers the first request from one after this time. */
function lateForFirstOrigin(milliseconds: number) {
  const admit = withHeader('access-control-allow-origin', '*')
  let isFirst = true
  return async <Answered extends { readonly headers: Readonly<Record<string, string>> }>(
    answer: Answered,
    {
      method,
      headers,
    }: { readonly method: string; readonly headers: Readonly<Record<string, string | undefined>> },
  ) => {
    if (method === 'POST' && headers['origin'] !== undefined && isFirst) {
      isFirst = false
      await setTimeout(milliseconds)
    }
    return method === 'POST' ? admit(answer) : answer
  }
}

function withHeader(name: string, value: string) {
  return <Answered extends { readonly headers: Readonly<Record<string, string>> }>(answer: Answered) => ({
    ...answer,
    headers: { ...answer.headers, [name]: value },
  })
}
