import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SignJWT } from 'jose'
import { reservePort } from '../../fixtures/reserve-port.ts'
import { type Reference, startReference } from '../../fixtures/stack.ts'
import { messageOf, missingPackages, type Outcome, runSuites, tell } from '../outcome.ts'
import { whyOf } from '../variants/table.ts'
import { assemble, install, type Mistake, readMistakes, versionOf } from './applications.ts'
import { type Framework, frameworks } from './frameworks.ts'
import { readRows, renderResultsPage, resultsFile, rowsOf } from './results-page.ts'

// `npm run proof -- frameworks`: token routes written as each framework documents them, judged by whole runs.
// One without a mistake gets exit 0, and the warnings of `frameworks.ts`; each mistake is caught by the
// requirements that `mistakes.yaml` names, and by no others. `--write` puts what it said into `docs/results.md`.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    show: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    // Most of a run is waiting.
    'at-once': { type: 'string', default: '3' },
  },
})

/** Runs `twotoken run` on an application, with mint and signaling of the reference. */
async function judge(folder: string, framework: Framework, reference: Reference): Promise<Outcome> {
  await using app = await reservePort()
  await using double = await reservePort()
  await using login = await reservePort()
  const secret = randomBytes(32).toString('hex')
  const loginUrl = `http://127.0.0.1:${login.port}`
  const isIssued = framework.sessions === 'jwt' || framework.sessions === 'opaque'
  const sessions = isIssued ? issuedSessions() : await createSessions(framework, secret)
  const { apiKey } = reference.written['mint'] as { readonly apiKey: string }
  const authority = join(folder, 'twotoken-results/mint-double-ca.pem')
  const environment = {
    PORT: String(app.port),
    NODE_ENV: 'production',
    RAILS_ENV: 'production',
    SECRET_KEY_BASE: secret,
    SESSION_SECRET: secret,
    LOGIN_URL: loginUrl,
    ACCESS_TOKENS: framework.sessions,
    CALLING_API_URL: `https://127.0.0.1:${double.port}`,
    CALLING_API_KEY: apiKey,
    NODE_EXTRA_CA_CERTS: authority,
    REQUESTS_CA_BUNDLE: authority,
    SSL_CERT_FILE: authority,
    SEED_SESSIONS: JSON.stringify(sessions.seeds),
  }
  await writeFile(
    join(folder, 'environment'),
    Object.entries(environment)
      .map(([name, value]) => `export ${name}='${value}'\n`)
      .join(''),
  )
  const { mint, signaling, token, tls } = reference.written
  const configuration = {
    name: folder,
    start: { command: `. ./environment; ${framework.start}` },
    mint,
    signaling,
    token,
    tls,
    backend: {
      url: `http://127.0.0.1:${app.port}${framework.route}`,
      sessions: sessions.written,
      ...(framework.sessions === 'jwt' && { sessionJwks: `${loginUrl}/jwks` }),
      fakeMint: { listen: `127.0.0.1:${double.port}`, tls: true, apiKey },
    },
    ...(framework.sessions === 'opaque' && {
      hooks: { signOut: { command: '. ./environment; node sign-out.js' } },
    }),
    absent: [
      ...(framework.sessions === 'opaque'
        ? []
        : [{ what: 'hooks', reason: 'sessions end by their own time' }]),
      ...(framework.logsRequests ? [] : [{ what: 'logs', reason: 'it prints nothing of a request' }]),
      ...sessions.absent,
    ],
  }
  await writeFile(join(folder, 'twotoken.yaml'), JSON.stringify(configuration))
  await rm(join(folder, 'twotoken-results'), { recursive: true, force: true })
  return await runSuites('backend,flow', folder, values.only)
}

interface Sessions {
  /** As `twotoken.yaml` has them. */
  readonly written: Readonly<
    Record<string, { readonly token: string | { readonly command: string }; readonly userId?: string }>
  >
  /** As an application with a store takes them. */
  readonly seeds: readonly Readonly<Record<string, string | number>>[]
  readonly absent: readonly { readonly what: string; readonly reason: string }[]
}

/** Sessions that the login issues once it is up; with it, tokens for other uses. */
function issuedSessions(): Sessions {
  const shop = 'https://shop.example/api'
  const token = (user: string, client: string, kind: string, ended = '') => ({
    command: `. ./environment; node sign-in.js ${user} ${client} ${kind} ${ended}`,
  })
  return {
    written: {
      alice: { token: token('u-alice', shop, 'access_token'), userId: 'u-alice' },
      aliceSecondDevice: { token: token('u-alice', shop, 'access_token'), userId: 'u-alice' },
      bob: { token: token('u-bob', shop, 'access_token'), userId: 'u-bob' },
      expired: { token: token('u-alice', 'short', 'access_token', 'ended') },
      otherApp: { token: token('u-alice', 'news', 'access_token') },
      idToken: { token: token('u-alice', shop, 'id_token') },
      refreshToken: { token: token('u-alice', shop, 'refresh_token') },
    },
    seeds: [],
    absent: [],
  }
}

async function createSessions({ sessions }: Framework, secret: string): Promise<Sessions> {
  const now = Math.floor(Date.now() / 1000)
  const key = new TextEncoder().encode(secret)
  const create = async (userId: string, name: string, seconds = 3600) => {
    const email = `${name}@shop.example`
    const expiresAt = now + seconds
    const signed = new SignJWT({ email }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).setSubject(userId)
    const token =
      sessions === 'signed'
        ? await signed
            .setJti(randomBytes(8).toString('hex'))
            .setIssuedAt(now)
            .setExpirationTime(expiresAt)
            .sign(key)
        : randomBytes(20).toString('hex')
    return { token, userId, email, expiresAt }
  }
  const [first, second] = sessions === 'signed' ? ['u-alice', 'u-bob'] : ['1', '2']
  const alice = await create(first, 'alice')
  const bob = await create(second, 'bob')
  const both = { alice: { token: alice.token, userId: first }, bob: { token: bob.token, userId: second } }
  if (sessions === 'keys') {
    const absent = ['expiredSession', 'secondDevice'].map((what) => ({
      what,
      reason: 'one key for each user, without an end',
    }))
    return { written: both, seeds: [alice, bob], absent }
  }
  const phone = await create(first, 'alice')
  const expired = await create(first, 'alice', -3600)
  return {
    written: {
      ...both,
      aliceSecondDevice: { token: phone.token, userId: first },
      expired: { token: expired.token },
    },
    seeds: [alice, bob, phone, expired],
    absent: [],
  }
}

/** Lists accusations of a run against an application, a line each: of one without a mistake, also what it could not judge. */
function accusationsOf(
  { code, results, stderr }: Outcome,
  mistake: Mistake | null,
): ReadonlyMap<string, string> {
  if (results === null) return new Map([['no results', `exit ${code}\n${stderr.slice(-2000)}`]])
  const verdicts: readonly string[] =
    mistake === null ? ['fail', 'warn', 'untested', 'error'] : ['fail', 'warn']
  const against = results.checks.filter(({ verdict }) => verdicts.includes(verdict))
  return new Map(
    against.map((check) => [check.id, `${check.verdict} ${check.id}: ${whyOf(check).slice(0, 600)}`]),
  )
}

/** Prints the outcome for one application; resolves with whether nothing was wrong with it. */
async function prove(name: string, framework: Framework, mistake: Mistake | null): Promise<boolean> {
  const what = mistake === null ? 'as documented' : mistake.does
  try {
    const folder = await assemble(name, framework, mistake)
    await using reference = await startReference()
    const outcome = await judge(folder, framework, reference)
    const accusations = accusationsOf(outcome, mistake)
    const expected = mistake?.caught ?? framework.advised
    const missed = expected.filter((id) => !accusations.has(id))
    const wrong = [...accusations.keys()].filter((id) => ![...expected, ...framework.advised].includes(id))
    const isRight = missed.length + wrong.length === 0 && (mistake !== null || outcome.code === 0)
    const seconds = Math.round((outcome.results?.durationMs ?? 0) / 1000)
    tell(`${isRight ? 'ok   ' : 'WRONG'} ${name}, ${what}: exit ${outcome.code} after ${seconds} s`)
    for (const [id, text] of accusations)
      if (values.show || wrong.includes(id))
        tell(`      ${wrong.includes(id) ? 'not expected: ' : ''}${text}`)
    for (const id of missed) tell(`      expected, and not said: ${id}`)
    if (isRight && mistake === null && outcome.results !== null)
      for (const row of await rowsOf(name, framework, await versionOf(name, framework), outcome.results))
        said.set(...row)
    return isRight
  } catch (error) {
    tell(`WRONG ${name}, ${what}: ${messageOf(error)}`)
    return false
  }
}

/** Applications to judge; says which framework is not installed. */
async function choose(): Promise<(() => Promise<boolean>)[]> {
  const [wantedFramework, wantedMistake] = positionals
  const chosen: (() => Promise<boolean>)[] = []
  for (const [name, framework] of Object.entries(frameworks)) {
    if (wantedFramework !== undefined && wantedFramework !== name) continue
    await install(name, framework)
    const lacking = await missingPackages(framework.debian ?? [])
    if (lacking.length > 0) {
      tell(`not installed: ${name} (apt-get install ${lacking.join(' ')})`)
      continue
    }
    for (const mistake of [null, ...(await readMistakes(name, framework))])
      if (wantedMistake === undefined || (mistake?.does ?? 'as documented').includes(wantedMistake))
        chosen.push(() => prove(name, framework, mistake))
  }
  return chosen
}

const said = new Map(await readRows())
const waiting = await choose()
const proven = waiting.length
let wrong = 0
const work = async () => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) if (!(await next())) wrong += 1
}
await Promise.all(Array.from({ length: Number(values['at-once']) }, work))
if (values.write) await writeFile(resultsFile, await renderResultsPage(said))
tell(`${proven} applications, ${wrong} wrong`)
process.exitCode = wrong > 0 || proven === 0 ? 1 : 0
