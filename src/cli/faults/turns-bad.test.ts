import { expect, test } from 'vitest'
import { startMint } from '../../../fixtures/mint/server.ts'
import { httpFaults, signalingFaults, startFaultyPeer } from '../../base/http/testing/faulty-peer.ts'
import type { Verdict } from '../../base/verdict.ts'
import { createWorkplace, type Ended, type Workplace } from '../testing/workplace.ts'

// A peer that answers the preflight and then turns bad has broken no requirement by that and gets no `fail`. Every
// connection gets the next fault of the list.
// A healthy part answers within this time on a busy machine, too.
const limits = { requestSeconds: 4, backendAnswerSeconds: 4 }

async function verdictsOf(
  place: Workplace,
  ids: string,
): Promise<Ended & { verdicts: Record<string, Verdict> }> {
  const ended = await place.start(['run', '--no-wait', '--only', ids]).ended
  expect(ended.stderr).not.toMatch(/^twotoken: |^\s+at /m)
  // An ordinary run takes 290 MB. A flood fills what V8 reserves for new objects besides, 134 MB: 480 MB at most.
  expect(ended.peakMegabytes).toBeLessThan(600)
  const { checks } = await place.results()
  return { ...ended, verdicts: Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict])) }
}

test.concurrent('a mint', async () => {
  await using mint = await startMint()
  const goodFirst = Number(new URL(mint.url).port)
  await using peer = await startFaultyPeer({ faults: Object.values(httpFaults), goodFirst })
  const url = `http://127.0.0.1:${peer.port}`
  await using place = await createWorkplace({ mint: { url, apiKey: mint.keys.active }, limits })
  const { code, verdicts } = await verdictsOf(place, 'MINT-01,MINT-04,MINT-05,MINT-08,MINT-09,MINT-18')
  expect(verdicts).toEqual({
    'MINT-01': 'error',
    'MINT-04': 'error',
    'MINT-05': 'error',
    'MINT-08': 'error',
    'MINT-09': 'error',
    'MINT-18': 'pass',
  })
  expect(code).toBe(3)
})

test.concurrent('signaling', async () => {
  await using mint = await startMint()
  await using peer = await startFaultyPeer({ faults: Object.values(signalingFaults) })
  await using place = await createWorkplace({
    mint: { url: mint.url, apiKey: mint.keys.active },
    signaling: {
      url: `ws://127.0.0.1:${peer.port}/ws`,
      profile: {
        carriage: { in: 'query', name: 'token' },
        success: [{ frame: { path: '$.type', equals: 'welcome' } }],
        failure: [{ http: [401] }],
        timeoutMs: 1000,
      },
    },
    limits,
  })
  const { code, verdicts } = await verdictsOf(place, 'SIG-02,SIG-03,SIG-04,SIG-07,SIG-20,SIG-21')
  expect(verdicts).toEqual({
    'SIG-02': 'error',
    'SIG-03': 'error',
    'SIG-04': 'error',
    'SIG-07': 'error',
    'SIG-20': 'error',
    'SIG-21': 'error',
  })
  expect(code).toBe(3)
})
