import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../fixtures/answer.ts'
import { type MintPolicy, Refusal } from '../../fixtures/mint/policy.ts'
import type { Verdict } from '../../src/base/verdict.ts'
import { findCheck, loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import type { Variant } from '../../src/requirement/define.ts'
import { judge, judgeInTurn } from './testing/prove.ts'

const catalogue = await loadCatalogue()

const find = (id: string) => findCheck(id, catalogue)
const judged = (id: string, variant: Variant) => judge(find(id), variant)

describe('a mint that can be neither accused nor cleared', () => {
  test('issues for a key in an unconfirmed state: an unmet precondition', async () => {
    const result = await judged('MINT-15', {
      mint: { admit: () => undefined },
      configuration: { mint: { keys: { trialEnded: { attested: false } } } },
    })
    expect(result).toMatchObject({
      verdict: 'error',
      reason: expect.stringContaining('precondition not met'),
    })
  })

  test('answers 403 for the key of an ended trial: a warning that also names the setting', async () => {
    const refuse = ({ status }: Refusal) => jsonAnswer(status === 402 ? 403 : status, { error: 'no' })
    const { verdict, findings } = await judged('MINT-15', {
      mint: { refuse },
      configuration: { mint: { keys: { trialEnded: { attested: false } } } },
    })
    expect(verdict).toBe('warn')
    expect(findings.map(({ message }) => message).join()).toContain('or correct mint.keys.trialEnded')
  })

  test('limits its rate when the key of an ended trial comes: asked again, no warning', async () => {
    let refusals = 0
    const result = await judged('MINT-15', {
      mint: {
        refuse({ status }) {
          refusals += 1
          return jsonAnswer(refusals <= 3 ? 429 : status, { error: 'no' })
        },
      },
    })
    expect(result.verdict).toBe('pass')
  })

  test.each<[string, Verdict, Variant['mint']?]>([
    ['MINT-01', 'pass'],
    ['MINT-03', 'pass'],
    ['MINT-09', 'fail'],
    ['SIG-31', 'info'],
    ['MINT-08', 'fail', { userId: String }],
  ])('demands a lifetime: %s is a %s', async (id, verdict, mint = {}) => {
    const lifetime = (asked: unknown) => {
      if (typeof asked !== 'number') throw new Refusal(400, 'invalid_ttl', 'ttlSeconds is missing')
      return asked
    }
    expect(await judged(id, { mint: { lifetime, ...mint } })).toMatchObject({ verdict })
  })

  test.each([
    ['MINT-02', 'fail', null],
    ['MINT-04', 'untested', 'waits for MINT-02'],
    ['SIG-02', 'untested', 'waits for MINT-02'],
    ['SIG-26', 'untested', 'waits for MINT-02'],
  ])('answers a token without a name: %s is %s', async (id, verdict, reason) => {
    const success = () => jsonAnswer(200, { token: { id: 7 } })
    const expected = reason === null ? { verdict } : { verdict, reason: expect.stringContaining(reason) }
    expect(await judged(id, { mint: { success } })).toMatchObject(expected)
  })

  test('sends several JWTs: token.field is needed', async () => {
    const result = await judged('MINT-02', {
      mint: {
        success: async (token, _, tools) =>
          jsonAnswer(200, { one: token, two: await tools.issueFreely('another') }),
      },
    })
    expect(result).toMatchObject({ verdict: 'untested', reason: expect.stringContaining('token.field') })
  })

  test.each(['MINT-10', 'MINT-12', 'MINT-13'])('issues what cannot be read: %s only records', async (id) => {
    const sealed = () => {
      const header = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url')
      return `${header}..${Buffer.from(crypto.randomUUID()).toString('base64url')}.Y2lwaGVy.dGFn`
    }
    expect((await judged(id, { mint: { token: sealed } })).verdict).toBe('info')
  })

  test.each(['MINT-09', 'MINT-10'])('blocks the suite after it has served it: %s is lost', async (id) => {
    const result = await judged(id, { mint: blockingAfter(1), configuration: impatient })
    expect(result).toMatchObject({ verdict: 'error', reason: expect.stringContaining('control failed') })
  })

  test('blocks the suite after it has served another requirement: MINT-01 is lost', async () => {
    const variant = { mint: blockingAfter(2), configuration: impatient }
    const [, lost] = await judgeInTurn([find('MINT-14'), find('MINT-01')], variant)
    expect(lost).toMatchObject({ verdict: 'error', reason: expect.stringContaining('control failed') })
  })

  test('knows only its own users: mint.userIds is needed', async () => {
    const result = await judged('MINT-01', {
      mint: {
        userId: () => {
          throw new Refusal(404, 'invalid_user_id', 'there is no such user')
        },
      },
    })
    expect(result).toMatchObject({ verdict: 'untested', reason: expect.stringContaining('mint.userIds') })
  })

  test('answers 503 to a rejected key and 415 to a form: both are rejections', async () => {
    const mint: Variant['mint'] = {
      refuse: (_, { headers }) =>
        jsonAnswer(headers['content-type'] === 'application/json' ? 503 : 415, { error: 'no' }),
    }
    expect((await judged('MINT-06', { mint })).verdict).toBe('pass')
  })

  test.each([
    [false, { verdict: 'error', reason: expect.stringContaining('control failed') }],
    [true, { verdict: 'fail' }],
  ])('is lost at the first request without a key, which got a token: %s', async (mintsForIt, expected) => {
    expect(await judged('MINT-04', { mint: stoppingAtTheFirstAttack({ mintsForIt }) })).toMatchObject(
      expected,
    )
  })
})

function stoppingAtTheFirstAttack({ mintsForIt }: { readonly mintsForIt: boolean }): Variant['mint'] & {} {
  let isStopped = false
  return {
    refuse: async ({ status }, _, tools) => {
      isStopped = true
      return mintsForIt
        ? jsonAnswer(200, { token: await tools.issueFreely('anybody') })
        : jsonAnswer(status, {})
    },
    success: (token) => (isStopped ? jsonAnswer(503, {}) : jsonAnswer(200, { token })),
  }
}

/** A block is waited for in vain: four times as long as this. */
const impatient = { limits: { patienceSeconds: 1 } }

/** As a firewall does that has seen too many rejections: 403 for everything. */
function blockingAfter(served: number): Variant['mint'] & {} {
  let count = 0
  return {
    answer: (usual) => {
      count += 1
      return count > served ? { status: 403, headers: {}, body: '<h1>Forbidden</h1>' } : usual
    },
  }
}

test('a mint that issues nothing is named by SIG-26, and not the key of another project', async () => {
  const failing = { answer: () => jsonAnswer(500, { error: 'down' }) }
  const result = await judged('SIG-26', { mint: failing })
  expect(result).toMatchObject({ verdict: 'error', reason: expect.stringContaining('the mint returned 500') })
  expect(result.reason).not.toContain('otherProjectKey')
})

const everyMs = 3_200

/** Counts requests of any key, as a gateway does before the mint. */
function limited(): Partial<MintPolicy> {
  let next = 0
  return {
    answer(usual) {
      const now = performance.now()
      if (now >= next) {
        next = now + everyMs
        return usual
      }
      const headers = { 'content-type': 'application/json', 'retry-after': '1' }
      return { status: 429, headers, body: '{"error":"too many requests"}' }
    },
  }
}

test('a limit on the rate is not taken for the rejection of a suspended key', async () => {
  expect(await judged('MINT-16', { mint: limited() })).toMatchObject({
    verdict: 'pass',
    observations: { statuses: [403, 403] },
  })
})
