import { setTimeout } from 'node:timers/promises'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { ofMint, warning } from '../lib/broken-rows.ts'
import { jsonAnswer, withHeader } from './lib/variant-answers.ts'

type Mint = NonNullable<Catch['mint']>

const anyOrigin = withHeader('access-control-allow-origin', () => '*')

export const broken: BrokenVariants = warning({
  ...ofMint({
    'admits pages of any origin': { answer: anyOrigin },
    'admits whatever origin asks': {
      answer: withHeader('access-control-allow-origin', ({ headers }) => headers['origin'] ?? 'null'),
    },
    'admits any origin by preflight only': {
      answer: (answer, request, tools) =>
        request.method === 'OPTIONS' ? anyOrigin(answer, request, tools) : answer,
    },
    'fails where the body is no JSON object': {
      answer: (usual, { body }) =>
        body === null || (body.startsWith('{') && body.endsWith('}'))
          ? usual
          : jsonAnswer({ error: 'internal' }, 500),
    },
    'lets tokens be cached': { answer: withHeader('cache-control', () => 'max-age=60') },
    'says nothing about caches': {
      answer: ({ status, body }) => ({ status, headers: { 'content-type': 'application/json' }, body }),
    },
  }),
  'admits pages of any origin, and is late for one': {
    mint: { answer: lateForFirstOrigin(9_000) },
    configuration: { limits: { requestSeconds: 8 } },
  },
})

/** Admits tokens to every origin, and answers the first request from one after this time. */
function lateForFirstOrigin(milliseconds: number): NonNullable<Mint['answer']> {
  let isFirst = true
  return async (answer, request, tools) => {
    if (request.method !== 'POST') return answer
    if (request.headers['origin'] !== undefined && isFirst) {
      isFirst = false
      await setTimeout(milliseconds)
    }
    return anyOrigin(answer, request, tools)
  }
}
