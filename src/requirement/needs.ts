import type { JWK } from 'jose'
import type { Clock } from '../base/clock.ts'
import type { Secrets } from '../base/evidence/secrets.ts'
import type { HttpClient } from '../base/http/client.ts'
import type { TestKey } from '../base/tokens/signing-key.ts'
import type { AbsentName, AbsentPart, Configuration } from '../configuration/configuration.ts'
import type { CallingTokens } from '../roles/backend/calling-tokens.ts'
import type { UserSession } from '../roles/backend/configuration.ts'
import type { Backend } from '../roles/backend/driver.ts'
import type { Journey } from '../roles/client/journey.ts'
import type { Client, DoubledSignaling } from '../roles/client/types.ts'
import type { Logs } from '../roles/flow/logs.ts'
import type { RecordedHops } from '../roles/flow/recorded-hops.ts'
import type { StateKey } from '../roles/mint/configuration.ts'
import type { MintDouble } from '../roles/mint/double.ts'
import type { Mint } from '../roles/mint/driver.ts'
import type { Expiry } from '../roles/mint/expiry.ts'
import type { Signaling } from '../roles/signaling/driver.ts'
import type { Choices } from './choices.ts'
import type { Held } from './lanes.ts'

/** Something that the operator has the suite do to the implementation. Throws `ControlLost` where its command fails. */
export interface Hook {
  run(): Promise<void>
}

/** Test tokens of the developer console, made by hand or by a tool in its place. */
export interface ConsoleTokens {
  /** The tool need not heed `ttlSeconds`. Throws `ControlLost` where it prints no token. */
  fetch(userId: string, ttlSeconds?: number): Promise<string>
}

/** Parts that a check can ask for, with the value that it then gets. */
export interface Needed {
  /** `mint.url` and `mint.apiKey`. */
  readonly mint: Mint
  /** The shared wait for expiry. */
  readonly expiry: Expiry
  readonly otherProjectKey: string
  /** `mint.consoleToken`. */
  readonly consoleTokens: ConsoleTokens
  readonly trialEndedKey: StateKey
  readonly suspendedKey: StateKey
  readonly cappedKey: StateKey
  /** `backend.url` and alice's session. */
  readonly backend: Backend
  readonly bob: UserSession
  readonly aliceSecondDevice: UserSession
  readonly expiredSession: string
  readonly signedOutSession: string
  readonly mintDouble: MintDouble
  /** `signaling.url` with a profile that can tell success from failure, or an adapter. */
  readonly signaling: Signaling
  /** Fresh calling tokens that signaling should accept, from the mint or through the backend. */
  readonly callingTokens: CallingTokens
  /** The service's published keys, loaded when asked for. */
  readonly jwks: () => Promise<readonly JWK[]>
  readonly testKey: TestKey
  /** Messages between the parts that do not pass the suite's doubles. */
  readonly hops: RecordedHops
  readonly signOutHook: { choose(): Promise<Hook & { readonly session: string }> }
  readonly revokeKeyHook: Hook & { readonly key: string }
  /** Suspends the project of an API key, for good. */
  readonly suspendProjectHook: Hook & { readonly key: string }
  /** Makes the service sign with another key from now on. */
  readonly rotateKeysHook: Hook
  /** The logs of the parts, as far as the suite can read them. */
  readonly logs: Logs
  /** The client under test, with doubles for all that it talks to. */
  readonly client: Client
  /** The client signs in and connects, once for the first tries of all that ask; a second try has a journey of its own. */
  readonly journey: () => Promise<Journey>
  readonly clientBob: Readonly<Record<string, unknown>>
  /** Protocol and refusals of the signaling double, for checks that need an accepted or a refused attempt. */
  readonly signalingDouble: DoubledSignaling
}

export type Need = keyof Needed

/** Parts that a role provides; `undefined` where the configuration names nothing that it could come from. */
export type Provided = { readonly [One in Need]?: Needed[One] | undefined }

export interface CommonContext extends Choices, Held {
  readonly configuration: Configuration
  readonly http: HttpClient
  readonly clock: Clock
  readonly secrets: Secrets
  /** A part that would sharpen the check; a missing one is a part left untested (or not applicable). */
  optional<N extends Need>(need: N): Needed[N] | undefined
  /** The same without a word when it is missing: for what is only observed. */
  available<N extends Need>(need: N): Needed[N] | undefined
}

export type CheckContext<Needs extends Need> = CommonContext & Pick<Needed, Needs>

/** Why a part is missing: not configured, or declared as not there. */
export interface MissingNeed {
  readonly verdict: 'untested' | 'not-applicable'
  readonly reason: string
  /** The declaration, where it is declared as not there. */
  readonly absent?: AbsentPart | undefined
}

interface NeedText {
  readonly wants: string
  /** Name that an implementation declares in `absent`, which makes this not applicable. */
  readonly absent?: AbsentName
  /** The lines of the file that give it, where users ask for them. */
  readonly paste?: string
  /** True where a check that needs it still applies: without it, the check cannot be judged. */
  readonly appliesWithout?: true
}

/** A variable, as the file writes it. */
const variable = (name: string) => `"\${${name}}"`

export const needTexts: Readonly<Record<Need, NeedText>> = {
  mint: { wants: 'mint.url and mint.apiKey' },
  expiry: { wants: 'time to wait for a token to expire' },
  otherProjectKey: { wants: "mint.otherProjectKey, a second project's key", absent: 'secondProject' },
  consoleTokens: { wants: 'mint.consoleToken, a tool that prints test tokens of the console' },
  trialEndedKey: { wants: 'mint.keys.trialEnded, a key whose trial has ended', absent: 'trial' },
  suspendedKey: { wants: 'mint.keys.suspended, a key of a suspended project', absent: 'suspension' },
  cappedKey: { wants: 'mint.keys.capped, a key at its trial mint cap', absent: 'mintCap' },
  backend: { wants: 'backend.url and backend.sessions.alice', absent: 'backend' },
  bob: { wants: 'backend.sessions.bob, a second signed-in user' },
  aliceSecondDevice: {
    wants: 'backend.sessions.aliceSecondDevice, a session of alice that differs from her first one',
    absent: 'secondDevice',
    paste: `aliceSecondDevice: { token: ${variable('ALICE_SECOND_SESSION')}, userId: … } below backend.sessions`,
  },
  expiredSession: {
    wants: 'backend.sessions.expired, a session that has expired',
    absent: 'expiredSession',
    paste: `expired: { token: ${variable('EXPIRED_SESSION')} } below backend.sessions`,
  },
  signedOutSession: {
    wants: 'backend.sessions.signedOut, a session that was signed out',
    paste: `signedOut: { token: ${variable('SIGNED_OUT_SESSION')} } below backend.sessions`,
  },
  mintDouble: {
    wants: "backend.fakeMint, with the backend under test pointed at the suite's mint double",
    absent: 'switchableMint',
    appliesWithout: true,
  },
  signaling: { wants: 'signaling.url and signaling.profile (or adapter)' },
  callingTokens: { wants: 'a source of calling tokens: mint, or backend' },
  jwks: { wants: "token.jwks, the service's published keys", absent: 'jwks' },
  testKey: { wants: 'token.signWith, a key that a test deployment of signaling trusts', absent: 'testKey' },
  hops: { wants: 'start.containers, so that the suite can record traffic between the parts' },
  signOutHook: {
    wants:
      'hooks.signOut, with hooks.signOut.session or backend.sessions.aliceSecondDevice, to sign a session out',
    absent: 'hooks',
    paste: 'hooks: { signOut: { command: ./sign-out } }, whose command signs out $TWOTOKEN_SESSION',
  },
  revokeKeyHook: {
    wants: 'hooks.revokeKey, with hooks.revokeKey.key or mint.otherProjectKey, to revoke an API key',
    absent: 'hooks',
  },
  suspendProjectHook: {
    wants: 'hooks.suspendProject, with a key of a project that nothing else needs',
    absent: 'hooks',
  },
  rotateKeysHook: { wants: 'hooks.rotateKeys, to replace the signing key', absent: 'hooks' },
  logs: { wants: 'logs, or start: logs of the parts that the suite can read', absent: 'logs' },
  client: { wants: 'client.url and client.driver, or client.command' },
  journey: { wants: 'client.url and client.driver, or client.command' },
  clientBob: { wants: 'client.users.bob, a second user' },
  signalingDouble: {
    wants:
      'signaling.profile without ticket, or an adapter that exports serve (nothing else tells the double what to send)',
  },
}

/** The reason in the words of the configuration. */
export function explainMissing(need: Need, configuration: Configuration): MissingNeed {
  const { wants, absent, paste, appliesWithout = false } = needTexts[need]
  const declared = configuration.absent.find(({ what }) => what === absent)
  const advice =
    paste === undefined
      ? ''
      : `: add ${paste}${absent === undefined ? '' : `, or { what: ${absent}, reason: … } below absent`}`
  if (declared === undefined) return { verdict: 'untested', reason: `needs ${wants}${advice}` }
  return {
    verdict: appliesWithout ? 'untested' : 'not-applicable',
    reason: `declared absent (${declared.what}): ${declared.reason}`,
    absent: declared,
  }
}

/** Why a check cannot run, in one verdict: what does not apply outranks what is missing. Null where nothing lacks. */
export function summariseMissing(
  lacking: readonly Need[],
  configuration: Configuration,
  noOracle: string | null,
): MissingNeed | null {
  const missing = lacking.map(
    (need): MissingNeed =>
      need === 'signaling' && noOracle !== null
        ? { verdict: 'untested', reason: `no oracle: ${noOracle}` }
        : explainMissing(need, configuration),
  )
  const verdict = missing.some((one) => one.verdict === 'not-applicable') ? 'not-applicable' : 'untested'
  const counted = missing.filter((one) => one.verdict === verdict)
  const reasons = new Set(counted.map(({ reason }) => reason))
  if (reasons.size === 0) return null
  return { verdict, reason: [...reasons].join('; '), absent: counted.find((one) => one.absent)?.absent }
}
