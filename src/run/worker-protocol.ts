import type { TwotokenError } from '../base/errors.ts'
import type { Exchange } from '../base/evidence/exchange.ts'
import type { Registered } from '../base/evidence/redact.ts'
import type { MetLimits } from '../base/rate-limit-retry.ts'
import type { TestableCertificate } from '../base/tls/certificates.ts'
import type { ToldWait } from '../base/told-wait.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { CheckResult } from '../requirement/run.ts'

/** The task of a worker. It crosses a process boundary, so it is plain data. */
export interface WorkerTask {
  readonly configuration: Configuration
  readonly ids: readonly string[]
  readonly wait: boolean
  readonly seed: number
  /** Keys the fingerprints of secrets, in hexadecimal, so that all workers of a run give the same secret the same one. */
  readonly fingerprintKey: string
  /** Calling tokens that may be issued; no limit where absent. */
  readonly maxMints?: number | undefined
  /** Where traces and screenshots go; none are made where absent. */
  readonly evidenceFolder?: string | undefined
  /** Where a watchdog writes that the process is blocked. */
  readonly blockedFile: string
  /** The certificate of the mint double, where it listens with TLS. */
  readonly doubleCertificate?: TestableCertificate
}

/** The result of one requirement, with the evidence and the secrets that were recorded meanwhile. */
export interface CheckReport {
  readonly result: CheckResult
  readonly exchanges: readonly Exchange[]
  /** For the last scan before anything is written; never written itself. */
  readonly secrets: readonly Registered[]
  /** Limits on the rate that were met by then, with their cost. */
  readonly metLimits?: MetLimits
}

export interface RunEvents {
  onStarted(total: number): void
  onWaiting(title: string, wait: ToldWait): void
  onReport(report: CheckReport): void
}

/** Checks that are judged in another process. */
export interface RunningChecks {
  /**
   * Resolves when the worker has ended: with null when every check has reported, else with the error.
   * Never rejects.
   */
  readonly finished: Promise<TwotokenError | null>
  /** Ends the worker, whether or not its tests co-operate; takes a second at most. */
  cancel(): Promise<void>
}

/** The type of the annotation with a wait of a check, as JSON. */
export const waitingAnnotation = 'twotoken-waiting'

/**
 * The environment variable that tells Playwright to wait for the task as a message. What stands in the environment itself
 * could be read by every process of the user, a client under test among them.
 */
export const taskVariable = 'TWOTOKEN_TASK'
/** The name of the attachment with the report of a check of the client. */
export const reportAttachment = 'twotoken'

/** A message of Playwright's reporter to the command. */
export type ClientRunMessage =
  | { readonly type: 'started' }
  | { readonly type: 'report'; readonly report: CheckReport }
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'ended'; readonly interrupted: boolean }

declare module 'vitest' {
  interface ProvidedContext {
    twotoken: WorkerTask
  }
  interface TaskMeta {
    twotoken?: CheckReport
  }
}
