import type { ErrorCode } from '../base/errors.ts'
import type { Exchange } from '../base/evidence/exchange.ts'
import type { Registered } from '../base/evidence/secrets.ts'
import type { MetLimits } from '../base/http/limiter.ts'
import type { TestableCertificate } from '../base/tls/certificates.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { CheckResult } from '../requirement/run.ts'

/** The task of the process that judges. It crosses a process boundary, so it is plain data. */
export interface WorkerTask {
  readonly configuration: Configuration
  readonly ids: readonly string[]
  readonly wait: boolean
  readonly seed: number
  /** Keys the fingerprints of secrets, in hexadecimal, so that all processes of a run give the same secret the same one. */
  readonly fingerprintKey: string
  readonly maxMints?: number | undefined
  /** Where traces and screenshots go; none are made where absent. */
  readonly evidenceFolder?: string | undefined
  readonly blockedFile: string
  readonly doubleCertificate?: TestableCertificate
  /** Begins the ids of the exchanges, where an earlier process has recorded for the same run. */
  readonly exchangePrefix?: string
  /** The command can start the parts again. */
  readonly canRestart: boolean
}

export interface CheckReport {
  readonly result: CheckResult
  readonly exchanges: readonly Exchange[]
  /** For the last scan before anything is written; never written itself. */
  readonly secrets: readonly Registered[]
  /** Limits on the rate that were met by then, with their cost. */
  readonly metLimits?: MetLimits
}

/** Results of contracts or stories. The ids of their exchanges differ from those of the run. */
export interface SideRun {
  readonly checks: readonly CheckResult[]
  readonly exchanges: readonly Exchange[]
  readonly secrets: readonly Registered[]
}

export function withOwnIds({ checks, exchanges, secrets }: SideRun, prefix: string): SideRun {
  const own = <One extends { readonly evidence: readonly string[] }>(all: readonly One[]): One[] =>
    all.map((one) => ({ ...one, evidence: one.evidence.map((id) => prefix + id) }))
  return {
    checks: checks.map(({ story, ...check }) => ({
      ...check,
      findings: own(check.findings),
      story: story && { ...story, told: own(story.told) },
    })),
    exchanges: exchanges.map((exchange) => ({ ...exchange, id: prefix + exchange.id })),
    secrets,
  }
}

export function joinSideRuns(runs: readonly SideRun[]): SideRun {
  return {
    checks: runs.flatMap(({ checks }) => checks),
    exchanges: runs.flatMap(({ exchanges }) => exchanges),
    secrets: runs.flatMap(({ secrets }) => secrets),
  }
}

export interface RunEvents {
  onStarted(): void
  onTurn(id: string, hasTurn: boolean): void
  onReport(report: CheckReport): void
  /** Starts the parts again; resolves with whether all of them answer. */
  restart?(): Promise<boolean>
}

export type WorkerOrder =
  | { readonly type: 'begin'; readonly task: WorkerTask }
  | { readonly type: 'interrupt' }
  | { readonly type: 'restarted'; readonly isServing: boolean }

export type WorkerMessage =
  | { readonly type: 'started' | 'restart' | 'ended' }
  | { readonly type: 'turn'; readonly id: string; readonly hasTurn: boolean }
  | { readonly type: 'report'; readonly report: CheckReport; readonly issued: number }
  | { readonly type: 'failed'; readonly code: ErrorCode; readonly message: string }
