import { expect, test } from 'vitest'
import { type BackendPolicy, type BackendRequest, SessionRefused } from '../../fixtures/backend/policy.ts'
import { startReference } from '../../fixtures/stack.ts'
import { createLabeller } from '../base/evidence/hide.ts'
import { hideExchange } from '../base/evidence/hide-exchange.ts'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import { documentedExample, sectionOf } from '../configuration/testing/documented.ts'
import { runCheck } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'
import { preflight } from './preflight/preflight.ts'

// A backend with a login of browsers: it wants a CSRF token in a header and a cookie, a tenant, a parameter and a field.
const csrf = 'b7f1c2e09d4a4c0e'
const catalogue = await loadCatalogue(['backend'])
const { request } = sectionOf(await documentedExample('backend.md', 'backend.request'), 'backend')
const documented: unknown = JSON.parse(JSON.stringify(request).replaceAll(/\$\{CSRF\}/g, csrf))

function isComplete({ method, url, headers, body }: BackendRequest): boolean {
  const cookies = (headers['cookie'] ?? '').split('; ')
  const fields = `${body} ${headers['content-type'] ?? ''}`
  return (
    headers['x-csrf-token'] === csrf &&
    cookies.includes(`csrf=${csrf}`) &&
    headers['x-tenant'] === 'acme' &&
    url.searchParams.get('app') === 'web' &&
    (method === 'GET' || /device"?[=:\r].*browser/s.test(fields))
  )
}

const demanding: Partial<BackendPolicy> = {
  presentedSession: (asked) =>
    isComplete(asked) ? (/^bearer +(\S+)$/i.exec(asked.headers.authorization ?? '')?.[1] ?? null) : null,
}

async function judged(
  ids: readonly string[],
  backend: Partial<BackendPolicy>,
  written: object = { request: documented },
) {
  await using reference = await startReference({ variant: { backend, configuration: { backend: written } } })
  const problems = await preflight(reference.configuration, { parts: ['backend'] })
  await using session = await openSession(reference.configuration)
  const checks = catalogue.filter(({ id }) => ids.includes(id))
  const results = await Promise.all(checks.map((check) => runCheck(check, session)))
  const hider = createLabeller(session.secrets)
  return {
    verdicts: results.map(({ id, verdict }) => `${id} ${verdict}`),
    problems: problems.map(({ message }) => message),
    text: JSON.stringify(results),
    recorded: JSON.stringify(session.journal.drain().map((one) => hideExchange(one, hider))),
  }
}

const some = ['BACK-01', 'BACK-02', 'BACK-03', 'BACK-04', 'BACK-17', 'BACK-19']

test('a backend that wants more than a session is judged with backend.request', async () => {
  const { verdicts, problems, recorded } = await judged(some, demanding)
  expect(verdicts).toEqual(some.map((id) => `${id} pass`))
  expect(problems).toEqual([])
  expect(recorded).not.toContain(csrf)
  expect(recorded).toContain('acme')
})

test('without it the preflight stops the run', async () => {
  const { verdicts, problems } = await judged(['BACK-01'], demanding, {})
  expect(verdicts).not.toContain('BACK-01 pass')
  expect(problems.join()).toMatch(/returned 401 for backend.sessions.alice/)
})

test.each([
  ['a JSON body', ({ body }: BackendRequest) => /"userId":"([^"]+)"/.exec(body)?.[1]],
  ['a form', ({ body }: BackendRequest) => new URLSearchParams(body).get('userId')],
  ['a multipart form', ({ body }: BackendRequest) => /name="userId"\s+(\S+)/.exec(body)?.[1]],
  ['the query', ({ url }: BackendRequest) => url.searchParams.get('userId')],
  ['a cookie', ({ headers }: BackendRequest) => /userId=([^;]+)/.exec(headers['cookie'] ?? '')?.[1]],
])('a forged id in %s is still found', async (_, named) => {
  const careless = {
    ...demanding,
    userId: (session: { userId: string }, asked: BackendRequest) => named(asked) ?? session.userId,
  }
  expect((await judged(['BACK-04'], careless)).verdicts).toEqual(['BACK-04 fail'])
})

const graphql = {
  tokenField: '$.data.callingToken.token',
  request: {
    body: {
      json: { query: 'mutation { callingToken { token me {userId} } }', variables: { u: '{userId}' } },
    },
  },
}

/** A mutation whose app states the own userId, and reads the token in the data. */
function mutation(userOf: (own: string, stated: unknown) => string | null): Partial<BackendPolicy> {
  const variablesOf = ({ headers, body }: BackendRequest) => {
    if (headers['content-type'] !== 'application/json') return undefined
    const { query, variables } = JSON.parse(body)
    if (![undefined, graphql.request.body.json.query].includes(query)) throw new SessionRefused('no query')
    return variables
  }
  return {
    userId({ userId }, asked) {
      const user = userOf(userId, variablesOf(asked)?.u)
      if (user === null) throw new SessionRefused('another user')
      return user
    },
    success: (usual, { token }) => ({
      ...usual,
      body: JSON.stringify({ data: { callingToken: { token } } }),
    }),
  }
}

test('a mutation is judged with tokenField and the own id in its variables, and fails BACK-01 alone', async () => {
  const { verdicts } = await judged(
    some,
    mutation((own, stated) => (stated === own ? own : null)),
    graphql,
  )
  expect(verdicts).toEqual(some.map((id) => `${id} ${id === 'BACK-01' ? 'fail' : 'pass'}`))
})

test('a mutation that believes the stated id is found', async () => {
  const { verdicts } = await judged(
    some,
    mutation((own, stated) => String(stated ?? own)),
    graphql,
  )
  expect(verdicts).toContain('BACK-04 fail')
})

test('without tokenField, what waits for BACK-01 names the place of the token', async () => {
  const { text } = await judged(
    some,
    mutation((own) => own),
    { request: graphql.request },
  )
  expect(text).toContain('a token at $.data.callingToken.token')
  expect(text).toContain('backend.tokenField: \\"$.data.callingToken.token\\"')
})
