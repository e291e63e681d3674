import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { MintPolicy } from '../../../fixtures/mint/policy.ts'
import type { Reference, ReferenceOptions } from '../../../fixtures/stack.ts'
import { startListening } from '../../../src/base/http/listening.ts'
import { createWorkplace, type Ended } from '../../../src/cli/testing/workplace.ts'
import type { RunResults } from '../../../src/reports/results.ts'
import type { Variant } from '../../../src/requirement/define.ts'
import type { HostileCase } from './hostile-case.ts'
import { spentByChildren } from './spent-by-children.ts'

/** A machine that is busy with the proof itself makes no backend give up its call of the mint. */
const mintDeadlineMs = 60_000

/** Loaded by the cases that need it: others measure their memory in such a process, too. */
async function startReference({ variant, ...options }: ReferenceOptions): Promise<Reference> {
  const { startReference: start } = await import('../../../fixtures/stack.ts')
  return await start({
    ...options,
    variant: { ...variant, backend: { mintDeadlineMs, ...variant?.backend } },
  })
}

type Settings = Readonly<Record<string, unknown>>
type NotePeak = Parameters<HostileCase['run']>[0]

interface Judged {
  readonly ended: Ended
  readonly results: RunResults
  readonly verdicts: Readonly<Record<string, string>>
  /** Processor time of the command. */
  readonly seconds: number
}

/** An ordinary run takes 250, and 430 where nothing was compiled before. */
const mostMegabytes = 600

/** Starts `twotoken run` as a child process. */
async function judge(
  written: Settings,
  ids: string,
  notePeak: NotePeak,
  files: Readonly<Record<string, string>> = {},
): Promise<Judged> {
  await using place = await createWorkplace(written)
  for (const [name, text] of Object.entries(files)) await place.write(name, text)
  const before = spentByChildren()
  const ended = await place.start(['run', '--only', ids, '--json', '--keep-going']).ended
  notePeak(ended.peakMegabytes)
  const results = await place.results().catch((error: unknown) => {
    throw new Error(`no results are left (${String(error)}): ${ended.stderr}`)
  })
  const report = await place.read('report.html')
  assert.match(report, /<\/html>/)
  assert.doesNotMatch(report, /could not be rendered/)
  assert.equal(results.leaks, undefined, 'something leaked')
  assert.doesNotMatch(ended.stderr, /Please report|internal error/)
  return {
    ended,
    results,
    verdicts: Object.fromEntries(results.checks.map(({ id, verdict }) => [id, verdict])),
    seconds: spentByChildren() - before,
  }
}

async function judgeReference(
  options: ReferenceOptions,
  ids: string,
  notePeak: NotePeak,
  settings: (reference: Reference) => Settings = () => ({}),
): Promise<Judged> {
  await using reference = await startReference(options)
  return await judge({ ...reference.written, ...settings(reference) }, ids, notePeak)
}

/** Says why verdicts differ from those about a service that is not hostile. */
function reasonsOf({ results }: Judged, { verdicts }: Judged): string[] {
  return results.checks.flatMap(({ id, verdict, reason = '' }) =>
    verdict === verdicts[id] ? [] : [`${id} ${verdict}, not ${verdicts[id]}: ${reason}`],
  )
}

/** The verdicts and the exit code must be those of a service that is not hostile. */
function assertSame(judged: Judged, ordinary: Judged): void {
  assert.deepEqual(reasonsOf(judged, ordinary), [])
  assert.deepEqual(judged.verdicts, ordinary.verdicts)
  assert.deepEqual(judged.results.summary, ordinary.results.summary)
  assert.equal(judged.ended.code, ordinary.ended.code)
  assert.deepEqual(JSON.parse(judged.ended.stdout), judged.results)
}

/** A server in front of another one, for what the reference does not do. */
const inFront = (listener: RequestListener) =>
  startListening(createServer(listener), { host: '127.0.0.1', port: 0 })

async function bodyOf(request: AsyncIterable<unknown>): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}

const words = ['summary', 'fail', 'checks', 'MINT-05', 'pass']
const wordIds = 'MINT-01,MINT-02,MINT-05,BACK-01,BACK-02,BACK-05'

const wordCases = words.map(
  (word): HostileCase => ({
    name: `run: a mint whose token is always "${word}"`,
    makes: `a mint that answers {"token":"${word}"}`,
    seconds: 60,
    megabytes: mostMegabytes,
    isInSlice: word === 'summary',
    async run(notePeak) {
      const issuing = (token: string): ReferenceOptions => ({ variant: { mint: { token: () => token } } })
      const ordinary = await judgeReference(issuing('opaque-thing'), wordIds, notePeak)
      assert.equal(ordinary.ended.code, 1)
      assertSame(await judgeReference(issuing(word), wordIds, notePeak), ordinary)
    },
  }),
)

/** Tells a session that is the word `backend` from others, and writes it into a header of each answer. */
async function judgeWordAsSession(notePeak: NotePeak): Promise<void> {
  await using reference = await startReference({})
  const { alice } = reference.backend.sessions
  const session = 'backend'
  await using front = await inFront(async (request, response) => {
    const { authorization = '' } = request.headers
    const answer = await fetch(reference.backend.tokenUrl, {
      method: request.method ?? 'POST',
      headers: {
        authorization: authorization === `Bearer ${session}` ? `Bearer ${alice.token}` : authorization,
      },
    })
    response.writeHead(answer.status, { 'content-type': 'application/json', 'x-seen': session })
    response.end(await answer.text())
  })
  const { backend } = reference.written as { readonly backend: { readonly sessions: object } }
  const { results, ended, verdicts } = await judge(
    {
      ...reference.written,
      backend: {
        ...backend,
        url: `http://127.0.0.1:${front.port}/calling/token`,
        sessions: { ...backend.sessions, alice: { token: session, userId: alice.userId } },
      },
    },
    wordIds,
    notePeak,
  )
  for (const [id, verdict] of Object.entries(verdicts)) assert.match(verdict, /pass|info/, id)
  assert.equal(ended.code, 0)
  const seen = results.exchanges.flatMap((one) =>
    one.kind === 'http' ? (one.response?.headers ?? []).filter(([name]) => name === 'x-seen') : [],
  )
  assert.ok(seen.length > 0)
  for (const [, value] of seen) assert.match(value, /^‹session, 7 characters, #\w+›$/)
}

const keyIds = 'MINT-01,MINT-02,MINT-05,MINT-06,MINT-12,MINT-18,BACK-02,BACK-04,SIG-26,SIG-31'

/** Two keys of which one begins the other, in front of a mint that tells both from everything else. */
async function judgePrefixedKeys(
  notePeak: NotePeak,
  [short, long]: readonly [string, string],
): Promise<Judged> {
  await using reference = await startReference({})
  const { mint } = reference
  const meant = new Map([
    [short, mint.keys.active],
    [long, mint.keys.otherProject],
  ])
  await using front = await inFront(async (request, response) => {
    const { authorization = '', 'content-type': type = '' } = request.headers
    const key = authorization.replace(/^Bearer /, '')
    const answer = await fetch(`${mint.url}${request.url}`, {
      method: request.method ?? 'POST',
      headers: {
        'content-type': type,
        authorization: authorization.replace(key, () => meant.get(key) ?? key),
      },
      body: request.method === 'GET' || request.method === 'HEAD' ? null : await bodyOf(request),
    })
    response.writeHead(answer.status, { 'content-type': 'application/json', 'x-key': key })
    response.end(await answer.text())
  })
  const { mint: described } = reference.written as { readonly mint: object }
  const judged = await judge(
    {
      ...reference.written,
      mint: {
        ...described,
        url: `http://127.0.0.1:${front.port}`,
        apiKey: short,
        otherProjectKey: long,
      },
    },
    keyIds,
    notePeak,
  )
  const shown = JSON.stringify(judged.results) + judged.ended.stderr
  for (const key of [short, long]) assert.ok(!shown.includes(key.slice(8, 24)), 'a part of a key is shown')
  return judged
}

const periodic = (characters: number) => 'a1'.repeat(characters / 2)

/** Sends 200 credentials that are alike with each answer, which echoes as much of the same. */
async function judgeAlikeCredentials(notePeak: NotePeak): Promise<void> {
  const alike = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`${index}Token`, `${periodic(40 + 2 * index)}x${index}`]),
  )
  const answer = <Usual extends { readonly body: string; readonly status: number }>(usual: Usual): Usual => {
    if (usual.status !== 200) return usual
    const echo = { ...JSON.parse(usual.body), ...alike, echo: periodic(20_000) }
    return { ...usual, body: JSON.stringify(echo) }
  }
  const own = ({ written }: Reference) => ({
    backend: {
      ...(written['backend'] as object),
      request: { headers: { 'X-Key': periodic(200) }, body: { json: { ...alike } } },
    },
  })
  const ids = 'MINT-01,BACK-01,BACK-02,BACK-05'
  const ordinary = await judgeReference({}, ids, notePeak)
  const judged = await judgeReference(
    { variant: { backend: { answer, bodyLimitBytes: 1 << 20 } } },
    ids,
    notePeak,
    own,
  )
  assertSame(judged, ordinary)
}

/** Signs claims that are given as a text, since no writer of JSON nests so deeply. */
const withClaim =
  (claim: string): MintPolicy['token'] =>
  async (claims, header, signing) => {
    const { CompactSign } = await import('jose')
    const text = JSON.stringify({ ...claims, odd: 'here' }).replace('"here"', () => claim)
    return await new CompactSign(new TextEncoder().encode(text))
      .setProtectedHeader(header)
      .sign(signing.secretKey)
  }

const signalingIds = 'SIG-02,SIG-03,SIG-05,SIG-21'

/** Signaling that accepts every signature fails, whatever the claims of a token are. */
async function judgeToken(claim: string, notePeak: NotePeak): Promise<void> {
  const judgedWith = async (mint: Variant['mint'], signaling: Variant['signaling']) => {
    const carriage = { in: 'message', template: '{"type":"auth","token":"{jwt}"}', after: 'open' } as const
    const variant = { mint: mint ?? {}, signaling: { ...signaling, carriage } }
    return await judgeReference({ variant }, signalingIds, notePeak)
  }
  const broken = { signatureHolds: () => true }
  const ordinary = await judgedWith({}, broken)
  assert.equal(ordinary.verdicts['SIG-21'], 'fail')
  assertSame(await judgedWith({ token: withClaim(claim) }, broken), ordinary)
}

const claims: Readonly<Record<string, string>> = {
  'a claim that is 20,000 deep': '['.repeat(20_000) + ']'.repeat(20_000),
  'a token of 40 KB with one long name': `{"${"'".repeat(20_000)}":[${'1,'.repeat(3000)}1]}`,
}

const tokenCases = Object.entries(claims).map(
  ([title, claim]): HostileCase => ({
    name: `run: ${title}`,
    makes: 'a mint that signs such claims, and signaling that verifies none',
    seconds: 60,
    megabytes: mostMegabytes,
    isInSlice: false,
    run: (notePeak) => judgeToken(claim, notePeak),
  }),
)

/** The start of the command, which reads nothing, is a part of both. */
const mostGrowth = 2

async function judgeDots(notePeak: NotePeak): Promise<void> {
  const secondsWith = async (size: number) => {
    const answer = <Usual extends { readonly body: string }>(usual: Usual) => ({
      ...usual,
      body: '.'.repeat(size),
    })
    const { seconds, verdicts } = await judgeReference(
      { variant: { backend: { answer } } },
      'BACK-03',
      notePeak,
    )
    return { seconds, verdicts }
  }
  const [small, large] = [await secondsWith(1024), await secondsWith(1_000_000)]
  assert.deepEqual(large.verdicts, small.verdicts)
  const growth = large.seconds / small.seconds
  assert.ok(growth <= mostGrowth, `1 MB takes ${growth.toFixed(1)} times the processor of 1 KB`)
}

/** An adapter that never returns: the command ends, with the name of the story, and what was found before. */
async function judgeBlockedExploration(notePeak: NotePeak): Promise<void> {
  await using reference = await startReference({})
  await using place = await createWorkplace({
    ...reference.written,
    signaling: { url: reference.signaling.url, adapter: './adapter.mjs' },
  })
  await place.write(
    'adapter.mjs',
    `let count = 0
export async function connect() {
  count += 1
  if (count > 60) for (;;);
  return { accepted: true, close() {} }
}\n`,
  )
  const args = ['explore', 'signaling', '--config', 'twotoken.yaml', '--minutes', '10', '--seed', '1']
  const { code, stderr, peakMegabytes } = await place.start(args).ended
  notePeak(peakMegabytes)
  assert.match(stderr, /blocked for \d+ s by a story of the signaling, reading/)
  const { checks } = await place.results()
  assert.ok(checks.some(({ verdict }) => verdict === 'fail'))
  assert.match(checks.find(({ verdict }) => verdict === 'error')?.reason ?? '', /blocked for/)
  assert.match(await place.read('report.html'), /blocked for/)
  assert.equal(code, 1)
}

export const runCases: readonly HostileCase[] = [
  ...wordCases,
  {
    name: 'run: a session that is the word backend',
    makes: 'a backend that knows alice by it, and writes it into x-seen',
    seconds: 40,
    megabytes: mostMegabytes,
    isInSlice: true,
    run: judgeWordAsSession,
  },
  {
    name: 'run: a key that is a prefix of another',
    makes: 'a mint that knows both keys, and writes them into x-key',
    seconds: 60,
    megabytes: mostMegabytes,
    isInSlice: false,
    async run(notePeak) {
      const key = 'ac_live_q7Wd0Zk3xTn5Rb8Ym1Lc'
      const ordinary = await judgePrefixedKeys(notePeak, [key, 'ac_live_Hs2Vf9Gj4Pe6Ua0Ki7Ow'])
      assertSame(await judgePrefixedKeys(notePeak, [key, `${key}Fd4Jx8Sv`]), ordinary)
    },
  },
  {
    name: 'run: 200 credentials of a1a1…, and a body of 20 KB',
    makes: 'a backend that sends them, and a configuration that has them',
    seconds: 60,
    megabytes: mostMegabytes,
    isInSlice: false,
    run: judgeAlikeCredentials,
  },
  ...tokenCases,
  {
    name: 'run: 1 MB of dots from a backend',
    makes: 'a backend that answers with dots, to 1 KB of them',
    seconds: 60,
    megabytes: mostMegabytes,
    isInSlice: false,
    run: judgeDots,
  },
  {
    name: 'explore: an adapter that never returns',
    makes: 'an adapter of signaling with for (;;);',
    seconds: 60,
    megabytes: mostMegabytes,
    isInSlice: false,
    run: judgeBlockedExploration,
  },
]
