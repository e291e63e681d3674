import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { startListening } from '../../base/http/listening.ts'
import type { RunResults } from '../../reports/results.ts'
import { createWorkplace } from '../testing/workplace.ts'

const ids = 'MINT-01,MINT-02,MINT-05,BACK-01,BACK-02,BACK-05'

async function judge(configuration: unknown) {
  await using place = await createWorkplace(configuration)
  const { code, stderr, stdout } = await place.start(['run', '--only', ids, '--json', '--keep-going']).ended
  const printed: RunResults = JSON.parse(stdout)
  return { code, stderr, printed, results: await place.results(), report: await place.read('report.html') }
}

async function judgeMint(token: string) {
  await using reference = await startReference({ variant: { mint: { token: () => token } } })
  return await judge(reference.written)
}

function verdictsOf({ checks }: RunResults) {
  return checks.map(({ id, verdict, level, role }) => ({ id, verdict, level, role }))
}

test.concurrent('a mint that issues a word of the results as every token is judged like any other', async () => {
  const [ordinary, ...others] = await Promise.all(
    ['opaque-thing', 'summary', 'fail', 'MINT-05'].map(judgeMint),
  )
  for (const { results, printed, code, report, stderr } of others) {
    expect(verdictsOf(results)).toEqual(verdictsOf(ordinary?.results ?? results))
    expect(results.summary).toEqual(ordinary?.results.summary)
    expect(printed).toEqual(results)
    expect(code).toBe(ordinary?.code)
    expect(results.leaks).toBeUndefined()
    expect(stderr).not.toContain('Please report')
    expect(report).toContain('MINT-05')
  }
  expect(ordinary?.code).toBe(1)
})

test.concurrent('a session that is a word is hidden in evidence, and stays a word everywhere else', async () => {
  await using reference = await startReference({})
  const { alice } = reference.backend.sessions
  const seen = { session: 'backend', authorization: `Bearer ${alice.token}` }
  await using front = await startListening(
    createServer(async (request, response) => {
      const isAlice = request.headers.authorization === `Bearer ${seen.session}`
      const answer = await fetch(reference.backend.tokenUrl, {
        method: request.method ?? 'POST',
        headers: { authorization: isAlice ? seen.authorization : (request.headers.authorization ?? '') },
      })
      response.writeHead(answer.status, { 'content-type': 'application/json', 'x-seen': seen.session })
      response.end(await answer.text())
    }),
    { host: '127.0.0.1', port: 0 },
  )
  const { written } = reference
  const { backend } = written as { readonly backend: { readonly sessions: object } }
  const { results, printed, code, report } = await judge({
    ...written,
    backend: {
      ...backend,
      url: `http://127.0.0.1:${front.port}/calling/token`,
      sessions: { ...backend.sessions, alice: { token: seen.session, userId: alice.userId } },
    },
  })
  expect(results.checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'info')).toEqual([])
  expect(printed).toEqual(results)
  expect(code).toBe(0)
  expect(results.leaks).toBeUndefined()
  expect(results.exchanges.some(({ to }) => to === 'backend')).toBe(true)
  const headers = results.exchanges.flatMap((one) =>
    one.kind === 'http' ? (one.response?.headers ?? []) : [],
  )
  const echoed = headers.filter(([name]) => name === 'x-seen').map(([, value]) => value)
  expect(new Set(echoed.map((value) => value.replace(/#\w+/, '#')))).toEqual(
    new Set(['‹session, 7 characters, #›']),
  )
  expect(report).toContain('the backend')
})
