import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { Reference } from '../../../fixtures/stack.ts'
import { startListening } from '../../../src/base/http/listening.ts'
import { createWorkplace, type Workplace } from '../../../src/cli/testing/workplace.ts'
import type { HostileCase } from './hostile-case.ts'

/** Credentials that peers and the configuration give: of one run words of the results, of another ordinary ones. */
interface Credentials {
  readonly session: string
  readonly apiKey: string
  readonly token: string
}

/** Credentials that are no words, as long as others: what is very short is searched for in no answer. */
function ordinaryLike({ session, apiKey, token }: Credentials): Credentials {
  return {
    session: 'Yt6Rk2Wm9Qp4Lx7V'.slice(0, session.length),
    apiKey: 'Bn8Hs3Jd5Fz0Gc1T'.slice(0, apiKey.length),
    token: 'Mw4Xe7Uq2Ao9Ki6S'.slice(0, token.length),
  }
}

/** Each word that the results themselves consist of is a session, a key and a token of one of them. */
const words: readonly Credentials[] = [
  { session: 'pass', apiKey: 'checks', token: 'fail' },
  { session: 'backend', apiKey: 'MINT-05', token: 'pass' },
  { session: 'summary', apiKey: 'fail', token: 'checks' },
  { session: 'MINT-05', apiKey: 'pass', token: 'summary' },
]

const ids = 'MINT-01,MINT-02,MINT-05,BACK-01,BACK-02,BACK-05'

/** Commands that contact the parts, and write results. */
const judging: Readonly<Record<string, readonly string[]>> = {
  run: ['run', '--only', ids, '--keep-going'],
  'verify backend': ['verify', 'backend', '--config', 'twotoken.yaml'],
  'verify mint': ['verify', 'mint', '--config', 'twotoken.yaml'],
}

/** They end by the clock, so that a busy machine judges less. */
const exploring = ['backend', 'mint'].map((part) => ['explore', part, '--minutes', '0.1', '--seed', '1'])

/** Commands that read the results of the run. */
const reading: Readonly<Record<string, readonly string[]>> = {
  report: ['report', 'results.json', '--format', 'junit'],
  diff: ['diff', 'results.json', 'results.json'],
  merge: ['merge', 'results.json'],
}

export const wordCases: readonly HostileCase[] = words.map((credentials) => ({
  name: `words: session "${credentials.session}", key "${credentials.apiKey}", token "${credentials.token}", every command`,
  makes: 'a mint and a backend that know such credentials, and write them into headers',
  seconds: 200,
  megabytes: 600,
  isInSlice: false,
  async run(notePeak) {
    const ordinary = await outcomesWith(ordinaryLike(credentials), notePeak)
    assert.deepEqual(await outcomesWith(credentials, notePeak), ordinary)
  },
}))

type Outcomes = Readonly<Record<string, unknown>>

type NotePeak = Parameters<HostileCase['run']>[0]

async function outcomesWith(credentials: Credentials, notePeak: NotePeak): Promise<Outcomes> {
  const { startReference } = await import('../../../fixtures/stack.ts')
  await using reference = await startReference({ variant: { mint: { token: () => credentials.token } } })
  await using mint = await inFront(reference.mint.url, (key) =>
    key === credentials.apiKey ? reference.mint.keys.active : key,
  )
  const { alice } = reference.backend.sessions
  await using backend = await inFront(reference.backend.tokenUrl, (session) =>
    session === credentials.session ? alice.token : session,
  )
  await using place = await createWorkplace(describe(reference, credentials, { mint, backend }))
  const outcomes: Record<string, unknown> = {}
  for (const [name, args] of Object.entries(judging)) {
    const ended = await place.start(args).ended
    notePeak(ended.peakMegabytes)
    const results = await place.results()
    assert.match(await place.read('report.html'), /<\/html>/)
    outcomes[name] = [ended.code, results.summary, results.checks.map(({ id, verdict }) => [id, verdict])]
    if (name === 'run') Object.assign(outcomes, await outcomesOfReading(place, JSON.stringify(results)))
  }
  for (const args of exploring) await explore(place, args, notePeak)
  const doctor = await place.start(['doctor', '--config', 'twotoken.yaml']).ended
  return {
    ...outcomes,
    doctor: [doctor.code, /(?:\d+ problems?|ready) to .*|a run can start/.exec(doctor.stdout)?.[0]],
  }
}

/** @throws Error where results are not what such a command writes */
async function explore(place: Workplace, args: readonly string[], notePeak: NotePeak): Promise<void> {
  const ended = await place.start(args).ended
  notePeak(ended.peakMegabytes)
  assert.ok(
    [0, 1, 3].includes(ended.code ?? -1),
    `${args.join(' ')} ended with ${ended.code}: ${ended.stderr}`,
  )
  const { checks, summary } = await place.results()
  assert.ok(checks.length > 0)
  for (const { verdict } of checks) assert.ok(verdict in summary, verdict)
  assert.match(await place.read('report.html'), /<\/html>/)
}

/** The texts differ by fingerprints and times: only words of the structure are compared. */
async function outcomesOfReading(place: Workplace, results: string): Promise<Outcomes> {
  await place.write('results.json', results)
  const outcomes: Record<string, unknown> = {}
  for (const [name, args] of Object.entries(reading)) {
    const { code, stdout, stderr } = await place.start(args).ended
    assert.doesNotMatch(stderr, /internal error/)
    outcomes[name] = [
      code,
      [...stdout.matchAll(/\b(?:MINT|BACK)-\d\d\b|\b(?:failures|tests|errors)="\d+"/g)].map(String),
    ]
  }
  return outcomes
}

interface Fronts {
  readonly mint: { readonly port: number }
  readonly backend: { readonly port: number }
}

function describe({ written }: Reference, { session, apiKey }: Credentials, fronts: Fronts) {
  const parts = written as { readonly mint: object; readonly backend: { readonly sessions: Sessions } }
  const { backend } = parts
  return {
    ...written,
    mint: { ...parts.mint, url: `http://127.0.0.1:${fronts.mint.port}`, apiKey },
    backend: {
      ...backend,
      url: `http://127.0.0.1:${fronts.backend.port}/calling/token`,
      sessions: { ...backend.sessions, alice: { ...backend.sessions['alice'], token: session } },
    },
  }
}

type Sessions = Readonly<Record<string, object>>

/** Passes requests on with the credential that is meant, and writes the one that came into a header and an address. */
const inFront = (url: string, meant: (credential: string) => string) =>
  startListening(
    createServer(async (request, response) => {
      const { authorization = '', 'content-type': type } = request.headers
      const credential = authorization.replace(/^Bearer /, '')
      const isBodiless = request.method === 'GET' || request.method === 'HEAD'
      const answer = await fetch(new URL(request.url ?? '/', url), {
        method: request.method ?? 'POST',
        redirect: 'manual',
        headers: {
          ...(type === undefined ? {} : { 'content-type': type }),
          ...(authorization === ''
            ? {}
            : { authorization: authorization.replace(credential, () => meant(credential)) }),
        },
        body: isBodiless ? null : await bodyOf(request),
      })
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
        'x-seen': credential,
      })
      response.end(await answer.text())
    }),
    { host: '127.0.0.1', port: 0 },
  )

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
