import { describe, expect, test } from 'vitest'
import { type Fault, httpFaults, startFaultyPeer } from '../../../fixtures/faults/peer.ts'
import { createWorkplace, type Ended } from '../testing/workplace.ts'

// Where nothing can be judged, nothing is: the preflight says why and the run is exit 2.
const limits = { requestSeconds: 1 }
const apiKey = 'ac_live_made_up_for_a_test'

const tooLate = 'did not answer within 1 s'
const sentences: readonly [fault: keyof typeof httpFaults, sentence: string][] = [
  ['hangs', tooLate],
  ['redirects for ever', 'redirected more than 5 times'],
  ['sends a gzip bomb', 'sent a body of more than 1 MB'],
]

function expectRefusal({ code, stdout, stderr, peakMegabytes }: Ended, sentence: string): void {
  expect(stderr).toContain('the run did not start')
  expect(stderr).toContain(sentence)
  expect(stderr).not.toMatch(/^\s+at /m)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(peakMegabytes).toBeLessThan(500)
}

async function runAgainst(configuration: unknown, suite: string): Promise<Ended> {
  await using place = await createWorkplace(configuration)
  return await place.start(['run', '--suite', suite]).ended
}

describe.concurrent('a mint', () => {
  test.each(sentences)('is refused when it %s', async (name, sentence) => {
    const fault: Fault = httpFaults[name]
    await using peer = await startFaultyPeer({ faults: [fault] })
    const url = `http://127.0.0.1:${peer.port}`
    // A mint that answers gets more time: six requests of a redirect take longer on a busy machine.
    const given = sentence === tooLate ? { limits } : {}
    expectRefusal(await runAgainst({ mint: { url, apiKey }, ...given }, 'mint'), sentence)
  })
})
