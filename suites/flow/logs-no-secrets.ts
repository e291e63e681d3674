import { basename } from 'node:path'
import { findSecret } from '../../src/base/find-secret/find-secret.ts'
import type { Reply } from '../../src/base/http/client.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { Log } from '../../src/roles/flow/logs.ts'
import { leaveUndecided } from '../backend/lib/describe-reply.ts'
import { withoutEchoes } from '../backend/lib/echo-answers.ts'

type Parts = CheckContext<'logs'>

export default defineCheck({
  id: 'FLOW-07',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1', '5.1', '5.2'],
  basis:
    "The API key lives in the environment of the backend only, and goes to the mint only; the sessionToken goes to the customer's API only (2.1, 5.1, 5.2).",
  title: 'writes no secret to a log',
  why: 'Logs are kept for long, copied to other services and read by many: a key or a token in one is no longer a secret.',
  how: {
    does: [
      'After all other requirements, sends ordinary requests to mint, backend and signaling, also ones that they reject and, with the mint double, some during which minting fails: each three times, for nodes behind a balancer.',
      'The requests carry a marker in the userId, the User-Agent and the query.',
    ],
    fails: ['An API key or a sessionToken of these requests in what a log has gained, in any encoding.'],
    warns: [
      'A calling JWT, as the URL that carries it does.',
      'A key or session in an earlier line, outside URLs, where other requirements put them on purpose.',
    ],
    untested: [
      'A log that does not show the marker: it was not observed. What start.command prints is recorded only.',
      'A request that met no response: its line may come later.',
    ],
  },
  mints: 12,
  needs: ['logs'],
  stage: 'looking',
  async run(parts, judge) {
    const { logs } = parts
    const before = await logs.read()
    const used = await sendRequests(parts)
    if (used === null)
      return judge.untested('needs mint, backend or signaling, to send requests that a log shows')
    const gained = await readGained(parts, before, used.markers)
    for (const reply of used.silent)
      leaveUndecided(judge, reply, 'for a request whose line in a log may come later')
    for (const { name, earlier, text } of gained) {
      const searched = withoutEchoes(withoutQueries(earlier.slice(-searchedCharacters)))
      for (const [secret, kind] of used.secrets) {
        const common = { case: `${kind} in ${name}` }
        const found = findIn(text, secret, earlier + text)
        // A calling JWT lives for minutes, and a service that reads it from the URL logs it without any mistake of its log.
        const part = kind === 'a calling JWT' ? judge.advisory : judge.must
        part(found === null, {
          ...common,
          saw: `${kind} in the log ${name} (${found})`,
          expected: 'no API key, sessionToken or calling JWT in a log (2.1, 5.2)',
          fix: 'Remove Authorization headers, keys and tokens before a line is written.',
        })
        if (kind === 'a calling JWT') continue
        const foundEarlier = findIn(searched, secret, earlier)
        judge.should(foundEarlier === null, {
          ...common,
          saw: `${kind} in an earlier line of the log ${name} (${foundEarlier})`,
          expected: 'no API key or sessionToken in a log (2.1, 5.2)',
          fix: 'Do not print configuration or rejected credentials; run with --only FLOW-07 to see whether it is printed at the start.',
        })
      }
    }
    const declared = parts.configuration.absent.find(({ what }) => what === 'logs')
    // What a command prints may be all but its log.
    const isOutputAlone = gained.every(({ name, isSeen }) => name === 'command' && !isSeen)
    if (declared !== undefined) judge.onlyObserved(`declared absent (logs): ${declared.reason}`)
    else if (isOutputAlone)
      judge.onlyObserved(
        'what start.command prints shows no requests, and the file names no logs: name those that it writes in logs',
      )
    else for (const reason of explainSilence(gained, parts)) judge.untested(reason)
    const names = (isSeen: boolean) => gained.filter((log) => log.isSeen === isSeen).map(({ name }) => name)
    judge.observe('flow.logsObserved', names(true))
    judge.observe('flow.logsNotObserved', names(false))
  },
})

/** Why the logs do not show that nothing else is written to them. */
function explainSilence(gained: readonly Gained[], parts: Parts): string[] {
  const silent = gained.filter(({ name, isSeen }) => !isSeen && isExpectedToShow(name, parts))
  const reasons = silent.map(
    ({ name }) =>
      `the log ${name} shows no request of this run: log the path and User-Agent of requests, or correct its path`,
  )
  return gained.some(({ isSeen }) => isSeen)
    ? reasons
    : [
        ...reasons,
        'no log shows a request of this run: where no request is logged, say so by absent: [{ what: logs, reason: … }]',
      ]
}

type SecretKind = 'an API key' | 'a sessionToken' | 'a calling JWT'

/** A balancer leads to its nodes in turn: what is sent so many times in a row reaches each of so many nodes. */
const mostNodes = 3

interface Used {
  /** Texts of them that a log shows. */
  readonly markers: readonly string[]
  /** Secrets that the requests carried, and secrets that they were given. */
  readonly secrets: ReadonlyMap<string, SecretKind>
  readonly silent: readonly Reply[]
}

/** The last request to each part carries the marker, so that the others are in its log by then. Null where there is no part. */
async function sendRequests({ available, newUser, unknownUser }: Parts): Promise<Used | null> {
  const marker = unknownUser()
  const secrets = new Map<string, SecretKind>()
  const silent: Reply[] = []
  const [mint, backend, signaling] = [available('mint'), available('backend'), available('signaling')]
  if (mint === undefined && backend === undefined && signaling === undefined) return null
  const headers = [['user-agent', marker]] as const
  const send = async (request: () => Promise<unknown>) => {
    for (let sent = 0; sent < mostNodes; sent += 1) await request()
  }
  const note = (reply: Reply) => {
    if (reply.kind === 'no-answer') silent.push(reply)
  }
  let token: { readonly jwt: string; readonly userId: string } | null = null
  if (mint !== undefined) {
    secrets.set(mint.apiKey, 'an API key')
    token = await mint.token(newUser())
    await send(() => mint.request({ userId: 42, headers }))
  }
  if (backend !== undefined) {
    const double = available('mintDouble')
    if (double !== undefined) secrets.set(double.apiKey, 'an API key')
    const bob = available('bob')
    const sessions = [
      (await backend.exactSession(backend.alice)).token,
      bob && (await backend.exactSession(bob)).token,
      available('expiredSession'),
      available('signedOutSession'),
    ]
    for (const session of sessions)
      if (session !== undefined) {
        secrets.set(session, 'a sessionToken')
        await send(async () => note(await backend.request({ session })))
      }
    await double?.scripted(async (scripted) => {
      scripted.answer(() => ({ status: 500, body: '{}' }))
      await send(async () => note(await backend.request()))
    })
    token ??= await backend.token()
    await send(() => backend.request({ headers, query: { trace: marker } }))
  }
  if (signaling !== undefined && token !== null) {
    const { jwt, userId } = token
    await send(() => signaling.join({ jwt, userId: unknownUser() }))
    await send(() => signaling.join({ jwt, userId }))
  }
  if (token !== null) secrets.set(token.jwt, 'a calling JWT')
  return { markers: token === null ? [marker] : [marker, token.userId], secrets, silent }
}

interface Gained {
  readonly name: string
  readonly earlier: string
  /** Text written since. */
  readonly text: string
  readonly isSeen: boolean
}

/** A log may lag behind. */
const lagMs = 5000
const pollMs = 200
/** As much of an earlier log is searched. */
const searchedCharacters = 1_000_000
/** The end of a log that was cut at its beginning since. */
const tailCharacters = 4096

/** Reads the logs until each shows a marker, or has had the time to. */
async function readGained(
  { logs, clock }: Parts,
  before: readonly Log[],
  markers: readonly string[],
): Promise<Gained[]> {
  const deadline = clock.monotonic() + lagMs
  for (;;) {
    const gained = (await logs.read()).map(({ name, text: whole }, place): Gained => {
      const earlier = before[place]?.name === name ? before[place].text : ''
      const text = gainedText(earlier, whole)
      return { name, earlier, text, isSeen: markers.some((marker) => text.includes(marker)) }
    })
    if (gained.every(({ isSeen }) => isSeen) || clock.monotonic() >= deadline) return gained
    await clock.until(clock.monotonic() + pollMs)
  }
}

function gainedText(earlier: string, whole: string): string {
  if (whole.startsWith(earlier)) return whole.slice(earlier.length)
  const tail = earlier.slice(-tailCharacters)
  const at = whole.lastIndexOf(tail)
  return at < 0 ? whole : whole.slice(at + tail.length)
}

/** Parts that the suite has sent requests to, and every file that is named; a database's log shows none of them. */
function isExpectedToShow(name: string, { configuration, available }: Parts): boolean {
  if (configuration.logs.some((file) => basename(file) === name)) return true
  const parts = ['mint', 'backend', 'signaling'] as const
  return parts.some((part) => part === name && available(part) !== undefined)
}

/** Without the values in addresses: the suite itself puts keys there, to see that they are not accepted. */
function withoutQueries(text: string): string {
  return text.replace(/([?&][\w.-]+=)[^\s&"']*/g, '$1')
}

/** How a text has the secret, with its line in the whole where it is plain; null where it has not. */
function findIn(text: string, secret: string, whole: string): string | null {
  const encoding = findSecret(text, secret)
  if (encoding !== 'plain') return encoding
  return `plain, line ${whole.slice(0, whole.indexOf(secret)).split('\n').length}`
}
