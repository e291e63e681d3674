import type { Exchange } from '../base/evidence/exchange.ts'
import type { Registered } from '../base/evidence/redact.ts'
import type { ServerCertificate } from '../base/tls/certificates.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { CheckResult } from '../requirement/run.ts'

/** What the worker is told to do. It crosses a process boundary, so it is plain data. */
export interface WorkerTask {
  readonly configuration: Configuration
  readonly ids: readonly string[]
  readonly wait: boolean
  readonly seed: number
  /** Keys the fingerprints of secrets, in hexadecimal: all that record for one run show the same secret alike. */
  readonly fingerprintKey: string
  /** Calling tokens that may be issued; no limit where absent. */
  readonly maxMints?: number
  /** Where traces and screenshots go. */
  readonly evidenceFolder: string
  /** What the mint double proves itself with, where it listens with TLS. */
  readonly doubleCertificate?: ServerCertificate
}

/** What the worker says of one requirement, together with the evidence and the secrets that came up meanwhile. */
export interface CheckReport {
  readonly result: CheckResult
  readonly exchanges: readonly Exchange[]
  /** For the last scan before anything is written; never written itself. */
  readonly secrets: readonly Registered[]
}

/** The type of the annotation by which a check says for how many seconds it is about to wait. */
export const waitingAnnotation = 'twotoken-waiting'

/** The variable by which the task gets to Playwright and its workers, as JSON. */
export const taskVariable = 'TWOTOKEN_TASK'
/** Under this name a check of the client attaches its report. */
export const reportAttachment = 'twotoken'

/** What Playwright's reporter says to the command. */
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
