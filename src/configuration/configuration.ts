import type { ProxySettings } from '../base/http/proxy-settings.ts'
import type { Limits } from '../base/limits.ts'
import type { TokenConfiguration } from '../base/tokens/token-configuration.ts'
import type { BackendConfiguration } from '../roles/backend/types.ts'
import type { ClientConfiguration } from '../roles/client/client-configuration.ts'
import type { MintConfiguration } from '../roles/mint/types.ts'
import type { SignalingConfiguration } from '../roles/signaling/types.ts'

/**
 * The configuration as the rest of the code sees it: parsed, every `${NAME}` and `{ command }` resolved, every
 * path absolute, every default filled in. `schema.ts` produces it from `twotoken.yaml`.
 */
export interface Configuration {
  readonly name: string
  /** Absolute folder of the configuration file (the working directory without one): relative paths start here. */
  readonly directory: string
  readonly mint?: MintConfiguration | undefined
  readonly backend?: BackendConfiguration | undefined
  readonly signaling?: SignalingConfiguration | undefined
  readonly token: TokenConfiguration
  readonly client?: ClientConfiguration | undefined
  readonly bundle?: BundleConfiguration | undefined
  readonly start?: StartConfiguration | undefined
  /** Actions on the implementation that only the operator can take while it is judged. */
  readonly hooks: Hooks
  /** Absolute paths of files that the parts write their logs to. */
  readonly logs: readonly string[]
  /** Absolute paths of stories that `twotoken explore` has written, for `run` to tell again. */
  readonly stories: readonly string[]
  readonly absent: readonly AbsentPart[]
  /** Names of variables for the programs that the file names; one that ends in an asterisk is a beginning. */
  readonly environment: readonly string[]
  /** Names of the variables that values of the file are taken from. */
  readonly referredVariables: readonly string[]
  readonly limits: Limits
  readonly tls: {
    readonly ca?: string | undefined
    /** The suite's own certificate and its key: absolute paths of PEM files. */
    readonly client?: { readonly cert: string; readonly key: string } | undefined
  }
  /** Through which proxy requests leave this network: as the file says, else as the environment does. */
  readonly proxy?: ProxySettings | undefined
  readonly waivers: readonly Waiver[]
  /** Where to read what was said between parts that the suite has brought up itself; no file says it. */
  readonly hopRecords?: string | undefined
  /** Where to read the logs of parts that the suite has brought up itself; no file says it. */
  readonly partLogs?: string | undefined
}

/** Commands that change the implementation; each runs in the configuration's folder and has done so when it exits with 0. */
export interface Hooks {
  /** Signs out the session in TWOTOKEN_SESSION: `session`, or alice's second device. */
  readonly signOut?: { readonly command: string; readonly session?: string } | undefined
  /** Revokes the API key in TWOTOKEN_KEY: `key`, or the key of the other project. */
  readonly revokeKey?: { readonly command: string; readonly key?: string } | undefined
  /** Suspends the project of the API key in TWOTOKEN_KEY, which is `key`. */
  readonly suspendProject?: { readonly command: string; readonly key: string } | undefined
  /** Replaces the key with which the service signs calling tokens, and removes the old one. */
  readonly rotateKeys?: { readonly command: string } | undefined
}

export interface BundleConfiguration {
  readonly paths: readonly string[]
  readonly mintHost?: string | undefined
  readonly key?: {
    readonly prefix?: string | undefined
    /** Characters after the prefix. */
    readonly minLength?: number | undefined
  }
}

/** How the suite brings the implementation up itself. */
export type StartConfiguration = { readonly readyTimeoutSeconds: number } & (
  | { /** Absolute path of a compose file. */ readonly compose: string }
  | { /** A shell command, run in the configuration's folder. */ readonly command: string }
  | { readonly containers: StartContainers }
)

/** Images by the part that they take; a part that is not named stays the reference. */
type StartContainers = Readonly<Partial<Record<'mint' | 'backend' | 'signaling', StartContainer>>>

export interface StartContainer {
  readonly image: string
  /** The port that it listens on inside the container. */
  readonly port: number
  readonly env: Readonly<Record<string, string>>
  /** A path on that port that answers 2xx once it is ready. */
  readonly health?: string | undefined
  /** Linux capabilities, without `CAP_`. */
  readonly capabilities: readonly string[]
  readonly memoryMegabytes: number
}

/** Parts that an implementation may declare absent. */
export const absentParts = [
  'backend',
  'trial',
  'mintCap',
  'suspension',
  'secondProject',
  'jwks',
  'expiredSession',
  'secondDevice',
  'switchableMint',
  'mintTls',
  'testKey',
  'hooks',
  'logs',
  'callback',
] as const

export type AbsentName = (typeof absentParts)[number]

export interface AbsentPart {
  readonly what: AbsentName
  readonly reason: string
}

export interface Waiver {
  readonly id: string
  readonly reason: string
  readonly issue?: string | undefined
  /** ISO date. */
  readonly expires?: string | undefined
}
