import { findPaceGap, type MetLimits } from '../base/http/limiter.ts'
import type { TestableCertificate } from '../base/tls/certificates.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { createLogs } from '../roles/flow/logs.ts'
import { createRecordedHops } from '../roles/flow/recorded-hops.ts'
import type { AnyCheck } from './define.ts'
import type { RunningJudge } from './judge.ts'
import { alwaysHeld, createLanes, type Held } from './lanes.ts'
import {
  type CommonContext,
  explainMissing,
  type MissingNeed,
  type Need,
  type Provided,
  summariseMissing,
} from './needs.ts'
import { createOutages } from './outages.ts'
import { openBackendRole } from './roles/open-backend.ts'
import { type ClientRoleOptions, openClientRole } from './roles/open-client.ts'
import { openHooks } from './roles/open-hooks.ts'
import { openMintRole } from './roles/open-mint.ts'
import { openSignalingRole } from './roles/open-signaling.ts'
import { openRunServices, type RunServicesOptions } from './roles/run-services.ts'
import { createSecondTries } from './rule.ts'

export interface SessionOptions extends RunServicesOptions, Omit<ClientRoleOptions, 'environment'> {
  /** `false` leaves the expiry cases untested (`--no-wait`). */
  readonly wait?: boolean
  /** Certificate of the mint double, where it listens with TLS. */
  readonly doubleCertificate?: TestableCertificate | undefined
  /** Of hooks and commands, and of a client that is a program. Where absent, they get only what the suite sets for them. */
  readonly environment?: NodeJS.ProcessEnv
  /** Starts the parts again; resolves with whether all of them answer. Absent where the suite has not started them. */
  readonly restart?: (() => Promise<boolean>) | undefined
  readonly onTurn?: (checkId: string, hasTurn: boolean) => void
}

/** Everything that the checks of one run share: connections, doubles, evidence, and the run's secrets. */
export type Session = Awaited<ReturnType<typeof openSession>>

/** Connects nothing yet but the doubles; throws `TwotokenError` when one of those cannot be started. */
export async function openSession(configuration: Configuration, options: SessionOptions = {}) {
  const { wait = true, onTurn = () => undefined, restart = async () => false, environment = {} } = options
  const services = await openRunServices(configuration, options)
  const { choicesFor, clock, http, journal, mintBudget, pacers, secrets } = services
  await using stack = new AsyncDisposableStack()
  stack.use(http)
  const mint = openMintRole(services, wait, environment)
  const { doubleCertificate } = options
  const backend = await openBackendRole(services, { mint: mint.mint, doubleCertificate, environment }, stack)
  const signaling = await openSignalingRole(services, backend.callingTokens ?? null)
  const { hopRecords, logs: files, partLogs } = configuration
  const client = stack.use(await openClientRole(services, { ...options, environment }))
  const fixed: Provided = {
    ...mint,
    ...backend,
    ...signaling.provided,
    hops: hopRecords === undefined ? undefined : createRecordedHops(hopRecords, journal),
    logs: createLogs(files, partLogs),
    ...openHooks(services, backend.aliceSecondDevice, environment),
  }
  const opened = stack.move()

  return {
    configuration,
    clock,
    journal,
    secrets,
    http,
    mintBudget,
    lanes: createLanes(),
    onTurn,
    restart,
    secondTries: createSecondTries(),
    outages: createOutages(clock, configuration.limits.patienceSeconds),
    pacers,
    metLimits: (): MetLimits =>
      Object.fromEntries(
        Object.entries(services.paces).flatMap(([part, pace]) => {
          const met = pace.met()
          return met === null ? [] : [[part, met]]
        }),
      ),
    settleTraces: client.settleTraces,
    /** A first try has `held`; any other reads nothing that was recorded before. */
    contextFor(
      check: { readonly id: string; readonly needs: readonly Need[] } & Pick<AnyCheck, 'atOnce'>,
      judge: RunningJudge,
      held?: Held,
    ): CommonContext | { readonly missing: MissingNeed } {
      const provided: Provided = { ...fixed, ...client.provide(check.id, judge, held !== undefined) }
      const lacking = check.needs.filter((need) => provided[need] === undefined)
      const missing = summariseMissing(lacking, configuration, signaling.noOracle)
      if (missing !== null) return { missing }
      const gap = findPaceGap(check.atOnce ?? {}, configuration.limits.pace)
      if (gap !== null) return { missing: { verdict: 'untested', reason: gap } }
      const common: CommonContext = {
        configuration,
        http,
        clock,
        secrets,
        ...choicesFor(check.id),
        ...(held ?? alwaysHeld),
        available: (need) => provided[need],
        optional(need) {
          const found = provided[need]
          if (found !== undefined) return found
          const { verdict, reason } = explainMissing(need, configuration)
          if (verdict === 'untested') judge.untested(reason)
          else judge.notApplicable(reason)
          return undefined
        },
      }
      return { ...provided, ...common }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
