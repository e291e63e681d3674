import { expect, test } from 'vitest'
import { Untested } from '../inconclusive.ts'
import type { Reply } from './client.ts'
import { askPlainTwin } from './plain-twin.ts'
import type { HttpRequest } from './request.ts'

const silent = 'silent'

/** Milliseconds until each address answers 401, or silence; the last one of https for good. */
interface Twins {
  readonly https: readonly (number | typeof silent)[]
  readonly http: number | typeof silent
  readonly real?: number | typeof silent
}

async function ask({ https, http, real = 0 }: Twins) {
  let secures = 0
  const send = async ({ url, headers = [], deadlineMs = 0 }: HttpRequest) => {
    const isReal = headers.some(([, value]) => value === 'real')
    const place = Math.min(secures, https.length - 1)
    if (url.startsWith('https:')) secures += 1
    const took = url.startsWith('https:') ? (https[place] ?? silent) : isReal ? real : http
    return took === silent || took > deadlineMs
      ? ({ kind: 'no-answer', failure: 'timeout', sentAt: 0, receivedAt: deadlineMs } as Reply)
      : ({ kind: 'answer', status: 401, sentAt: 0, receivedAt: took } as Reply)
  }
  return await askPlainTwin({ send } as never, {
    to: 'mint',
    requestWith: (key) => ({ method: 'POST', url: 'https://127.0.0.1:4443/', headers: [['key', key]] }),
    madeUp: 'made-up',
    real: 'real',
  })
}

test.each([
  ['answers as https does', { https: [20], http: 20 }, true],
  ['drops connections, where https is fast', { https: [20], http: silent }, false],
  ['drops connections, where https takes a second or two', { https: [2_000], http: silent }, false],
  ['answers late, where https is slow at first', { https: [20, 3_000, 20], http: 9_000 }, true],
] as const)('plain http that %s', async (_, twins, isAlike) => {
  expect(await ask(twins)).toMatchObject({ isAlike })
})

test.each([
  ['https is silent afterwards', { https: [20, silent, 20, silent], http: silent }],
  ['https is slow', { https: [3_900, 3_900, 5_000], http: silent }],
  ['http answers all but the real credential', { https: [20], http: 20, real: silent }],
] as const)('silence over plain http shows nothing where %s', async (_, twins) => {
  await expect(ask(twins)).rejects.toThrow(Untested)
})
