import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { TwotokenError } from '../base/errors.ts'
import { createFingerprintKey } from '../base/evidence/secrets.ts'
import type { MetLimits } from '../base/http/limiter.ts'
import { onOneLine } from '../base/printable.ts'
import type { DescribedCheck } from '../catalogue/described.ts'
import { withNewSessions } from '../configuration/obtain-credentials.ts'
import { type BlockedLoop, watchForBlockedLoops } from './blocked-loops.ts'
import { observeDevice } from './guide-device.ts'
import { judgeApart } from './judge-apart.ts'
import type { RunEnvironment, RunOptions } from './options.ts'
import type { Plan } from './prepare.ts'
import { rejectOnAbort } from './provision/concurrency.ts'
import type { CheckReport, RunEvents, SideRun } from './worker-protocol.ts'

export interface RunProgress extends Omit<RunEvents, 'onStarted'> {
  onStarted(checks: readonly Pick<DescribedCheck, 'id' | 'role'>[]): void
  onEnd(): void
}

export interface Following {
  readonly progress: RunProgress
  readonly signal: AbortSignal
  /** Gets the results so far before this process itself reads more of the parts: nothing can then take them with it. */
  onJudged(soFar: Execution): Promise<void>
}

export interface Execution {
  readonly startedAt: Date
  readonly seed: number
  readonly fingerprintKey: string
  readonly reports: readonly CheckReport[]
  readonly blocks: readonly BlockedLoop[]
  readonly contracts: SideRun
  readonly stories: SideRun
  readonly interrupted: boolean
  readonly metLimits: MetLimits
  readonly failure: TwotokenError | null
}

/** Judges the requirements of a plan, then the contracts where asked; throws where no requirement could be judged. */
export async function executePlan(
  { configuration, out, mints, certificate, provisioned }: Plan,
  {
    wait = true,
    withContracts = false,
    observe = false,
    screenshots = false,
    only,
    suites,
    seed = randomBytes(4).readUInt32LE(),
  }: RunOptions,
  environment: RunEnvironment,
  { progress, signal, onJudged }: Following,
): Promise<Execution> {
  const { stderr, variables } = environment
  const startedAt = new Date()
  const reports: CheckReport[] = []
  const fingerprintKey = createFingerprintKey()
  // Stories are told where nothing is left out.
  const isWhole = only === undefined && suites === undefined && !observe
  const events = {
    ...followChecks(mints, reports, progress, signal),
    restart: async () => (await provisioned?.restart?.().catch(() => false)) ?? false,
  }
  const onBlocked = ({ what, seconds }: BlockedLoop) =>
    void stderr.write(`blocked for ${seconds} s by ${onOneLine(what)}\n`)
  await using blocked = await watchForBlockedLoops(onBlocked)
  const task = {
    configuration,
    blockedFile: blocked.file,
    ids: mints.within.map(({ id }) => id),
    wait,
    seed,
    fingerprintKey,
    evidenceFolder: screenshots ? join(out, 'client') : undefined,
    maxMints: mints.left ?? undefined,
    canRestart: provisioned?.restart !== undefined,
    ...certificate,
  }
  const ended = observe
    ? await rejectOnAbort(observeDevice(task, environment, events, signal), signal).catch(() => null)
    : await judgeApart(task, variables, events, blocked, signal)
  const interrupted = signal.aborted
  const failure = interrupted ? null : ended
  const blocks = [...(await blocked.list())]
  progress.onEnd()
  if (reports.length === 0 && failure !== null && blocks.length === 0) throw failure
  const judged = {
    startedAt,
    seed,
    fingerprintKey,
    reports,
    blocks,
    contracts: nothing,
    stories: nothing,
    // A refusal may turn out to be no limit later.
    metLimits: reports.findLast((report) => report.metLimits !== undefined)?.metLimits ?? {},
    interrupted,
    failure,
  }
  const isVerified = withContracts && !interrupted
  if (isVerified) await onJudged({ ...judged, interrupted: true })
  // Each is loaded only where it is asked for: the Pact core is large.
  let [contracts, stories] = [nothing, nothing]
  if (isVerified) {
    const { verifyContracts } = await import('./verify-contracts.ts')
    contracts = await verifyContracts(await withNewSessions(configuration, variables), certificate)
  }
  const toTell = isWhole && !interrupted ? configuration.stories.length : 0
  if (toTell > 0) {
    const { tellStories } = await import('./tell-stories.ts')
    const telling = { seed, fingerprintKey, signal, ...certificate, environment: { ...variables }, onBlocked }
    stories = await tellStories(await withNewSessions(configuration, variables), telling)
  }
  return {
    ...judged,
    contracts,
    stories,
    interrupted: interrupted || (signal.aborted && stories.checks.length < toTell),
  }
}

function followChecks(
  mints: Plan['mints'],
  reports: CheckReport[],
  progress: RunProgress,
  signal: AbortSignal,
): RunEvents {
  let isAnnounced = false
  return {
    onStarted() {
      if (!isAnnounced) progress.onStarted(mints.within)
      isAnnounced = true
    },
    onTurn: progress.onTurn,
    onReport(report) {
      // A check that an interruption has broken off gives no verdict.
      if (signal.aborted) return
      reports.push(report)
      progress.onReport(report)
    },
  }
}

const nothing: SideRun = { checks: [], exchanges: [], secrets: [] }
