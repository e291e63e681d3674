import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { pageOf } from '../../fixtures/app/described.ts'
import { startApp } from '../../fixtures/app/server.ts'
import { MintFailure } from '../../fixtures/backend/mint-client.ts'
import type { BackendPolicy } from '../../fixtures/backend/policy.ts'
import { built } from '../../fixtures/built.ts'
import { type Reference, startReference } from '../../fixtures/stack.ts'
import { createLoopbackTls } from '../../fixtures/tls.ts'
import { openTempFolder } from '../../src/base/temp-folder.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import type { Configuration } from '../../src/configuration/configuration.ts'
import { resolveConfiguration } from '../../src/configuration/load.ts'
import { groupErrors } from '../../src/reports/group-errors.ts'
import type { AnyCheck, Role } from '../../src/requirement/define.ts'
import { type CheckResult, runCheck, sortByTurn } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import { type Passing, startTurningPeer, type TurningFault, type TurningPeer } from './testing/turning.ts'

// A peer that conforms, and then turns: for all, for one user, for every third answer. What it does from then on breaks no
// requirement, so none may be said to be broken; what was judged before, or can be judged all the same, stays.

type Part = 'mint' | 'backend' | 'signaling'

const judges: Readonly<Record<Part, readonly Role[]>> = {
  mint: ['mint', 'backend', 'signaling', 'flow'],
  backend: ['backend', 'flow'],
  signaling: ['signaling', 'flow'],
}

/** Checks of a client that share the browser. */
const atOnce = 6

const busySeconds = 6

/** A peer that hangs costs no more than a second. A part that does not is given the time of a busy machine. */
function strictLimits(part: Part, fault: TurningFault) {
  const mayHang = fault !== 'stops listening'
  return {
    requestSeconds: mayHang ? 1 : busySeconds,
    backendAnswerSeconds: mayHang && part === 'backend' ? 1 : busySeconds,
    bodyBytes: 200_000,
  }
}

/** When it turns, by name. The one user is the third to ask. */
const turns: Readonly<Record<string, () => (passing: Passing) => boolean>> = {
  'after 25 answers':
    () =>
    ({ before }) =>
      before >= 25,
  // By then some pages have been opened and judged.
  'after 60 answers':
    () =>
    ({ before }) =>
      before >= 60,
  'once it is strained': onceStrained,
  'after a second and a half':
    () =>
    ({ sinceFirstMs, before }) =>
      // A busy machine may answer nothing in that time: a peer that never served is another case.
      sinceFirstMs > 1500 && before >= 25,
  'for one user': oneUser,
  'on every third answer':
    () =>
    ({ before }) =>
      before % 3 === 2,
  'on every third connection':
    () =>
    ({ connectionsBefore }) =>
      connectionsBefore % 3 === 2,
}

/** One token comes again and again in SIG-32 alone. */
function onceStrained(): (passing: Passing) => boolean {
  const counts = new Map<string, number>()
  return ({ credential }) => {
    counts.set(credential, (counts.get(credential) ?? 0) + 1)
    return (counts.get(credential) ?? 0) > 30
  }
}

function oneUser(): (passing: Passing) => boolean {
  const users: string[] = []
  return ({ credential, body }) => {
    const user = userIn(credential, body)
    if (user !== null && !users.includes(user)) users.push(user)
    return user !== null && user === users[2]
  }
}

/** By the id that a mint is asked for, the subject of a calling JWT, else the session. */
function userIn(credential: string, body: string): string | null {
  const asked = /"userId":"([^"]*)"/.exec(body)?.[1]
  if (asked !== undefined) return asked
  const payload = Buffer.from(/eyJ[\w-]+\.([\w-]+)/.exec(credential)?.[1] ?? '', 'base64url').toString(
    'latin1',
  )
  return /"sub":"([^"]*)"/.exec(payload)?.[1] ?? (credential === '' ? null : credential)
}

const cases: readonly (readonly [part: Part, fault: TurningFault, turn: string])[] = [
  ['mint', 'hangs', 'after 25 answers'],
  ['mint', 'answers 503', 'after 25 answers'],
  ['mint', 'resets', 'after a second and a half'],
  ['mint', 'floods', 'after a second and a half'],
  ['mint', 'hangs', 'for one user'],
  ['mint', 'cuts its answer', 'for one user'],
  ['mint', 'hangs', 'on every third answer'],
  ['mint', 'answers 503', 'on every third answer'],
  ['mint', 'hangs', 'on every third connection'],
  ['mint', 'swaps its certificate', 'after 25 answers'],
  ['backend', 'hangs', 'after 25 answers'],
  ['backend', 'resets', 'after 25 answers'],
  ['backend', 'answers 503', 'after a second and a half'],
  ['backend', 'cuts its answer', 'after a second and a half'],
  ['backend', 'hangs', 'for one user'],
  ['backend', 'answers 503', 'for one user'],
  ['backend', 'hangs', 'on every third answer'],
  ['backend', 'resets', 'on every third answer'],
  ['backend', 'floods', 'on every third connection'],
  ['backend', 'swaps its certificate', 'after 25 answers'],
  ['signaling', 'hangs', 'after 25 answers'],
  ['signaling', 'floods', 'after 25 answers'],
  ['signaling', 'resets', 'after a second and a half'],
  ['signaling', 'answers 503', 'after a second and a half'],
  ['signaling', 'hangs', 'for one user'],
  ['signaling', 'cuts its answer', 'for one user'],
  ['signaling', 'hangs', 'on every third answer'],
  ['signaling', 'answers 503', 'on every third answer'],
  ['signaling', 'cuts its answer', 'on every third connection'],
  ['signaling', 'swaps its certificate', 'after 25 answers'],
]

/**
 * In front of the page's own host, which serves its files and the app's own API. Each is met by every second requirement:
 * a page that cannot be loaded is waited for long.
 */
const clientCases: readonly (readonly [fault: TurningFault, turn: string])[] = [
  ['answers 503', 'after 60 answers'],
  ['resets', 'after 60 answers'],
  ['cuts its answer', 'on every third connection'],
]

// First, since they take the longest.
describe('no page fails where', () => {
  test.concurrent.each(clientCases)('its host %s %s', async (fault, turn) => {
    const place = clientCases.findIndex((one) => one[0] === fault)
    const checks = (await loadCatalogue(['client'])).filter((_, index) => index % 2 === place % 2)
    const { results, hits } = await clientJudgedBehind(fault, turn, checks)
    expect(hits).toBeGreaterThan(0)
    expectNothingLost(results, checks)
  })
})

describe('no part fails where', () => {
  test.concurrent.each(cases)('the %s %s %s', async (part, fault, turn) => {
    const { results, hits } = await judgedBehind(part, fault, turn)
    expect(hits).toBeGreaterThan(0)
    expectNothingLost(results, await loadCatalogue(judges[part]))
  })
})

/** By then, most of the requirements of the part have begun, or those that strain it. */
const ends: readonly (readonly [part: Part, turn: string])[] = [
  ['mint', 'after 60 answers'],
  ['backend', 'after 25 answers'],
  ['signaling', 'after 25 answers'],
  ['signaling', 'once it is strained'],
]

describe('one cause keeps the others from a judgement where', () => {
  test.concurrent.each(ends)('the %s stops listening %s', async (part, turn) => {
    const { results, hits } = await judgedBehind(part, 'stops listening', turn)
    expect(hits).toBeGreaterThan(0)
    expectNothingLost(results, await loadCatalogue(judges[part]))
    const errors = results.filter(({ verdict }) => verdict === 'error')
    expect(errors.filter(({ defect }) => defect === true)).toEqual([])
    expect(errors.filter(({ cause }) => cause === undefined).map(({ id, reason }) => [id, reason])).toEqual(
      [],
    )
    // On a busy machine, another part may be late besides.
    const causes = groupErrors(errors).filter(({ checks }) => checks[0]?.cause?.unavailable !== 'silent')
    expect(causes.map(({ checks }) => checks[0]?.cause)).toMatchObject([{ part, unavailable: 'refusing' }])
  })
})

function expectNothingLost(results: readonly CheckResult[], checks: readonly AnyCheck[]): void {
  const accused = results.filter(({ verdict }) => verdict === 'fail')
  expect(
    accused
      .map(({ id, findings }) => `${id}: ${findings.map(({ message }) => message).join('; ')}`)
      .join('\n'),
  ).toBe('')
  expect(results.map(({ id }) => id).toSorted()).toEqual(checks.map(({ id }) => id).toSorted())
}

/** Until it turns, the peer is the service: what is judged through it passes. */
async function expectPass(
  configuration: Configuration,
  checks: readonly AnyCheck[],
  role: Role,
): Promise<void> {
  const check = checks.find((one) => one.role === role && one.kind === 'positive')
  if (check === undefined) throw new TypeError(`there is no positive requirement of the ${role}`)
  await using session = await openSession(configuration, { seed: 7 })
  expect((await runCheck(check, session)).verdict).toBe('pass')
}

/** Sooner than the suite gives the backend up, and later than a mint on a busy machine answers. */
async function giveUpSoon(): Promise<never> {
  await setTimeout(4000, undefined, { ref: false })
  throw new MintFailure('the mint is given up')
}

async function judgedBehind(part: Part, fault: TurningFault, turn: string) {
  let isStrict = false
  const backend: Partial<BackendPolicy> = {
    callMint: (call, usual) => (isStrict ? Promise.race([usual(call), giveUpSoon()]) : usual(call)),
  }
  await using reference = await startReference({ variant: { backend } })
  const tls = fault === 'swaps its certificate' ? createLoopbackTls() : null
  const address = addressOf(reference, part)
  await using peer = await startTurningPeer({
    upstream: { port: Number(address.port), isTls: address.protocol === 'wss:' },
    isHit: turns[turn]?.() ?? (() => false),
    fault,
    ...(tls === null ? {} : { certificates: { first: tls.server, later: createLoopbackTls().server } }),
  })
  await using folder = await openTempFolder()
  const ca = join(folder.path, 'ca.pem')
  await writeFile(ca, `${await readFile(reference.caFile, 'utf8')}\n${tls?.ca ?? ''}`)
  const written = behind(reference, part, peer, { isTls: tls !== null, ca })
  const resolve = (limits: object) =>
    resolveConfiguration({ ...written, limits }, { directory: folder.path, environment: {} })
  const checks = await loadCatalogue(judges[part])
  await expectPass(await resolve({}), checks, part)
  peer.begin()
  isStrict = true
  await using session = await openSession(await resolve(strictLimits(part, fault)), { seed: 7 })
  const results: CheckResult[] = await Promise.all(
    sortByTurn(checks).map((check) => runCheck(check, session)),
  )
  return { results, hits: peer.hits() }
}

async function clientJudgedBehind(fault: TurningFault, turn: string, checks: readonly AnyCheck[]) {
  await using reference = await startReference()
  await using stack = new AsyncDisposableStack()
  const { path: folder } = stack.use(await openTempFolder())
  // The app tells its page where it is found, which is known before the app starts.
  const upstream = { port: 0, isTls: false }
  const peer = stack.use(await startTurningPeer({ upstream, isHit: turns[turn]?.() ?? (() => false), fault }))
  const { backend, signaling } = reference
  const publicUrl = `http://127.0.0.1:${peer.port}`
  const app = stack.use(
    await startApp({
      folder: built('app/page'),
      backendUrl: backend.url,
      signaling: { url: signaling.url },
      publicUrl,
    }),
  )
  upstream.port = app.port
  const configuration = await resolveConfiguration(
    { ...reference.written, client: pageOf(app, backend.users) },
    { directory: folder, environment: {} },
  )
  await expectPass(configuration, await loadCatalogue(['client']), 'client')
  peer.begin()
  await using session = await openSession(configuration, { seed: 7 })
  const results: CheckResult[] = []
  const left = [...checks]
  const judge = async () => {
    for (let check = left.shift(); check !== undefined; check = left.shift())
      results.push(await runCheck(check, session))
  }
  await Promise.all(Array.from({ length: atOnce }, judge))
  return { results, hits: peer.hits() }
}

function addressOf({ mint, backend, signaling }: Reference, part: Part): URL {
  return new URL({ mint: mint.url, backend: backend.tokenUrl, signaling: signaling.url }[part])
}

/** The reference as it is described, with one part behind the peer. */
function behind(
  reference: Reference,
  part: Part,
  { port }: TurningPeer,
  { isTls, ca }: { readonly isTls: boolean; readonly ca: string },
): Readonly<Record<string, unknown>> {
  const { written } = reference
  const { pathname } = addressOf(reference, part)
  const scheme = part === 'signaling' ? (isTls ? 'wss' : 'ws') : isTls ? 'https' : 'http'
  const url = `${scheme}://127.0.0.1:${port}${part === 'mint' ? '' : pathname}`
  const profile = part === 'signaling' ? { profile: { ...reference.signaling.profile, timeoutMs: 1000 } } : {}
  return {
    ...written,
    [part]: { ...(written[part] as object), url, ...profile },
    tls: { ca },
  }
}
