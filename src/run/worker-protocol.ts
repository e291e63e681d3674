import { fork } from 'node:child_process'
import { extname, join } from 'node:path'
import { type ErrorCode, TwotokenError } from '../base/errors.ts'
import type { Exchange } from '../base/evidence/exchange.ts'
import type { Registered } from '../base/evidence/secrets.ts'
import type { MetLimits } from '../base/http/limiter.ts'
import { hasGroups, signalGroup } from '../base/signal-group.ts'
import type { TestableCertificate } from '../base/tls/certificates.ts'
import type { WatchdogOptions } from '../base/watchdog.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { ExploreRoleOptions } from '../explore/explore-role.ts'
import type { ExploredRole } from '../requirement/explored-roles.ts'
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

/** The task of a process that explores. It crosses a process boundary, so it is plain data. */
export interface ExplorationTask
  extends Omit<ExploreRoleOptions, 'reset' | 'signal' | 'onStory' | 'onFound' | 'onSoFar'> {
  readonly role: ExploredRole
  readonly configuration: Configuration
  readonly fingerprintKey: string
  readonly watchdog: WatchdogOptions
}

export type ExplorationOrder =
  | { readonly type: 'begin'; readonly task: ExplorationTask }
  | { readonly type: 'interrupt' }

export type ExplorationMessage =
  | { readonly type: 'story'; readonly stories: number; readonly steps: number }
  | { readonly type: 'found'; readonly id: string; readonly title: string }
  | { readonly type: 'soFar' | 'end'; readonly explored: SideRun }
  | { readonly type: 'failed'; readonly code: ErrorCode; readonly message: string }

/** Ends this process with the command. A terminal interrupts the whole process group; the command decides what that means. */
export function followCommand(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  process.on('disconnect', () => process.exit())
}

/** Resolves once the command has the message, or has gone. */
export function tell(message: WorkerMessage | ExplorationMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) resolve()
    else process.send?.(message, undefined, undefined, () => resolve())
  })
}

export function tellFailure(error: unknown): Promise<void> {
  const code = error instanceof TwotokenError ? error.code : 'internal'
  return tell({ type: 'failed', code, message: error instanceof Error ? error.message : String(error) })
}

const longestTail = 2000

/** A process group of its own: no browser stays behind, and an interruption reaches it once. */
export function startWorker<Order extends object, Message>(
  name: 'judge' | 'exploration',
  onMessage: (message: Message) => void,
  env?: NodeJS.ProcessEnv,
) {
  const file = join(import.meta.dirname, `${name}.worker${extname(import.meta.filename)}`)
  const child = fork(file, [], {
    env,
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: hasGroups,
  })
  const kill = () => void signalGroup(child.pid, 'SIGKILL')
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString('utf8')).slice(-longestTail)
    })
  child.on('message', (message: Message) => onMessage(message))
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', () => resolve(printed.trim().split('\n').at(-1) ?? ''))
  })
  void ended.then(kill)
  return {
    order: (order: Order) => void (child.connected && child.send(order)),
    /** Ends it, and all that it has started. */
    kill,
    /** Resolves at its end with the last line that it printed, or why it could not be started. */
    ended,
  }
}

export type WorkerProcess<Order extends object> = ReturnType<typeof startWorker<Order, never>>
