import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { type Clock, systemClock } from '../base/clock.ts'
import { TwotokenError } from '../base/errors.ts'
import type { Journal } from '../base/evidence/exchange.ts'
import type { Redactor } from '../base/evidence/redact.ts'
import { type Answer, createHttpClient, type HttpClient, type Reply } from '../base/http/client.ts'
import { openNetwork } from '../base/http/network.ts'
import type { RateLimitRetry } from '../base/rate-limit-retry.ts'
import { readToken } from '../base/tokens/decode.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { createChoices } from '../requirement/choices.ts'
import { renewSession } from '../requirement/roles/renew-session.ts'
import { composeRequest } from '../roles/backend/compose-request.ts'
import { tokenInReply } from '../roles/backend/token-in-reply.ts'
import type { UserSession } from '../roles/backend/types.ts'
import { createMint, type Mint } from '../roles/mint/driver.ts'
import type { SignalingConnector } from '../roles/signaling/attempt.ts'
import { createConnector } from '../roles/signaling/connector.ts'

/** Lifetime that is asked of the mint, as the specification's example has it. */
export const askedSeconds = 900
/** Requests of one process to one part that are under way at once. */
const connections = 512

/** The parts under load, through the drivers of their roles. Nothing is recorded, and no limit on the rate is waited out. */
export interface Target extends AsyncDisposable {
  readonly configuration: Configuration
  readonly clock: Clock
  /** Null where no backend is configured. */
  readonly route: Route | null
  readonly mint: Mint | null
  readonly connector: SignalingConnector | null
  /** A user whom no other has been given, as far as the mint takes any id. */
  newUser(): string
  random(): number
}

export interface Route {
  readonly users: readonly UserSession[]
  /** @param authorization the whole header; null leaves it out */
  ask(authorization: string | null, userId?: string): Promise<Reply>
  /** The token that the app would read; null where it gets none. */
  tokenOf(reply: Answer): string | null
}

/** Opens the parts that the configuration names. @throws TwotokenError where a file that it names cannot be read */
export async function openTarget(
  configuration: Configuration,
  { seed, environment }: { readonly seed: number; readonly environment: NodeJS.ProcessEnv },
): Promise<Target> {
  const { token, limits, signaling } = configuration
  const clock = systemClock
  const network = await openNetwork(configuration)
  const deadlineMs = limits.requestSeconds * 1000
  const { bodyBytes } = limits
  const runStart = clock.monotonic()
  const shared = { clock, network, runStart, journal: silentJournal, redactor: plainRedactor }
  const http = createHttpClient({ ...shared, deadlineMs, bodyBytes, connections })
  const { newUser, random } = createChoices(seed, 'storm', configuration.mint?.userIds)
  const mint =
    configuration.mint === undefined
      ? null
      : createMint({
          mint: configuration.mint,
          token,
          http,
          redactor: plainRedactor,
          clock,
          newUser,
          retryWhenLimited: sendOnce,
        })
  // Signaling accepts no token that the double signs by itself.
  const isForged = configuration.mint === undefined && configuration.backend?.fakeMint !== undefined
  const access = isForged ? undefined : signaling?.access
  const connector =
    signaling === undefined || access === undefined
      ? null
      : await createConnector(signaling.url, access, { ...shared, limits })
  return {
    configuration,
    clock,
    route: await openRoute(configuration, http, environment),
    mint,
    connector,
    newUser,
    random,
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  }
}

const sessionsFile = z.array(z.object({ token: z.string().min(1), userId: z.string().min(1) })).min(1)

/** @throws TwotokenError `configuration` where `load.sessions` is not such a file */
async function openRoute(
  { backend, load, directory }: Configuration,
  http: HttpClient,
  environment: NodeJS.ProcessEnv,
): Promise<Route | null> {
  if (backend === undefined) return null
  const { alice, bob } = backend.sessions
  const named = { alice, bob }
  const users = Object.entries(named).flatMap(([name, session]) =>
    session === undefined
      ? []
      : [
          renewSession(session, {
            name,
            clock: systemClock,
            redactor: plainRedactor,
            surroundings: { directory, environment },
          }),
        ],
  )
  if (load.sessions !== undefined) users.push(...(await readSessions(load.sessions)))
  return {
    users,
    ask: (authorization, userId) =>
      http.send({ to: 'backend', ...composeRequest(backend, { authorization, userId }) }),
    tokenOf: (reply) => tokenInReply(reply, backend.tokenField),
  }
}

async function readSessions(file: string): Promise<UserSession[]> {
  const wanted = 'expected JSON: a list of { "userId": …, "token": … }'
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new TwotokenError(
      'configuration',
      `load.sessions: ${file} cannot be read (${error.code}); ${wanted}`,
    )
  })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  const parsed = sessionsFile.safeParse(json)
  if (parsed.success) return parsed.data
  throw new TwotokenError('configuration', `load.sessions: ${file} has another content; ${wanted}`)
}

export function mintToken(mint: Mint, reply: Answer): string | null {
  if (!isSuccess(reply)) return null
  const located = mint.locate(reply)
  return located.kind === 'found' && !reply.sent.includes(located.token) ? located.token : null
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status <= 299
}

/** Says whether the claims have this id in them, alone or within a text; null where there are none to read. */
export function namesUser(jwt: string, userId: string): boolean | null {
  const claims = readToken(jwt)?.claims
  return claims == null ? null : JSON.stringify(claims).includes(JSON.stringify(userId).slice(1, -1))
}

const sendOnce: RateLimitRetry = Object.assign(<T>(ask: () => Promise<T>): Promise<T> => ask(), {
  met: () => null,
  noteBlock: () => undefined,
})

/** A storm has too many exchanges to keep, and shows counts instead of evidence. */
export const silentJournal: Journal = {
  reserve: () => '',
  record: () => '',
  drain: () => [],
  faultOf: () => null,
  unavailableIn: () => null,
  noteRejection: () => undefined,
  rejectedIn: () => null,
  async during(run) {
    await run()
    return []
  },
}

/** Hides nothing, since nothing that it reads is kept. */
export const plainRedactor: Redactor = {
  register: (_, secret) => secret,
  learn: (_, secret) => secret,
  text: (text) => text,
  sentence: (text) => text,
  printed: (text) => text,
  file: (text) => text,
  received: (text, characters) => text.slice(0, characters),
  field: (_, value) => value,
  kindOf: () => null,
  known: () => [],
  label: () => '',
  drain: () => [],
}
