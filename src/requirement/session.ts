import { findPaceGap, type MetLimits } from '../base/http/limiter.ts'
import type { TestableCertificate } from '../base/tls/certificates.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { DeviceOperator } from '../roles/client/device/device.ts'
import type { BrowserSource } from '../roles/client/page/browser.ts'
import { createLogs } from '../roles/flow/logs.ts'
import { createRecordedHops } from '../roles/flow/recorded-hops.ts'
import type { AnyCheck } from './define.ts'
import type { RunningJudge } from './judge.ts'
import { alwaysHeld, createLanes, type Held, type Lanes } from './lanes.ts'
import {
  type CommonContext,
  explainMissing,
  type MissingNeed,
  type Need,
  type Provided,
  summariseMissing,
} from './needs.ts'
import { createOutages, type Outages } from './outages.ts'
import { openBackendRole } from './roles/open-backend.ts'
import { openClientRole } from './roles/open-client.ts'
import { openConsoleTokens } from './roles/open-console-tokens.ts'
import { openHooks } from './roles/open-hooks.ts'
import { openMintRole } from './roles/open-mint.ts'
import { openSignalingRole } from './roles/open-signaling.ts'
import { openRunServices, type RunServices, type RunServicesOptions } from './roles/run-services.ts'
import { createSecondTries, type SecondTries } from './rule.ts'

export interface SessionOptions extends RunServicesOptions {
  /** `false` leaves the expiry cases untested (`--no-wait`). */
  readonly wait?: boolean
  /** Certificate of the mint double, where it listens with TLS. */
  readonly doubleCertificate?: TestableCertificate | undefined
  /** A browser to share with other sessions; one of its own, started when a page is opened, where absent. */
  readonly browsers?: BrowserSource
  /** Where traces and screenshots of checks that came to no good go; none are made where absent. */
  readonly evidenceFolder?: string | undefined
  /** The person who operates the device that is the client under test. */
  readonly operator?: DeviceOperator
  /**
   * Environment of hooks, and of a client that is a program. Where absent, they get only the values
   * that the suite sets for them.
   */
  readonly environment?: NodeJS.ProcessEnv
  /** Starts the parts again; resolves with whether all of them answer. Absent where the suite has not started them. */
  readonly restart?: (() => Promise<boolean>) | undefined
  readonly onTurn?: (checkId: string, hasTurn: boolean) => void
}

type SharedServices = Pick<
  RunServices,
  'configuration' | 'clock' | 'journal' | 'secrets' | 'http' | 'mintBudget' | 'pacers'
>

/** Everything that the checks of one run share: connections, doubles, evidence, and the run's secrets. */
export interface Session extends SharedServices, AsyncDisposable {
  /** Whose turn it is. */
  readonly lanes: Lanes
  onTurn(checkId: string, hasTurn: boolean): void
  /** Starts the parts again; resolves with whether that was possible, and all of them answer. */
  restart(): Promise<boolean>
  readonly secondTries: SecondTries
  readonly outages: Outages
  /** Returns the limits on the rate that were met so far. */
  metLimits(): MetLimits
  /** Keeps the traces and screenshots of a check, or forgets them; the names of the files. */
  settleTraces(checkId: string, isWanted: boolean): Promise<string[]>
  /** A first try has `held`; any other reads nothing that was recorded before. */
  contextFor(
    check: { readonly id: string; readonly needs: readonly Need[] } & Pick<AnyCheck, 'atOnce'>,
    judge: RunningJudge,
    held?: Held,
  ): CommonContext | { readonly missing: MissingNeed }
}

/** Connects nothing yet but the doubles; throws `TwotokenError` when one of those cannot be started. */
export async function openSession(
  configuration: Configuration,
  {
    wait = true,
    onTurn = () => undefined,
    restart = async () => false,
    doubleCertificate,
    browsers,
    evidenceFolder,
    operator,
    environment = {},
    ...run
  }: SessionOptions = {},
): Promise<Session> {
  const services = await openRunServices(configuration, run)
  const { choicesFor, clock, http, journal, mintBudget, pacers, secrets } = services
  await using stack = new AsyncDisposableStack()
  stack.use(http)
  const mint = openMintRole(services, wait)
  const backend = await openBackendRole(services, { mint: mint.mint, doubleCertificate, environment }, stack)
  const signaling = await openSignalingRole(services, backend.callingTokens ?? null)
  const { hopRecords, logs: files, partLogs } = configuration
  const client = stack.use(
    await openClientRole(services, { browsers, evidenceFolder, operator, environment }),
  )
  const fixed: Provided = {
    ...mint,
    consoleTokens: openConsoleTokens(services, environment),
    ...backend,
    ...signaling.provided,
    hops: hopRecords === undefined ? undefined : createRecordedHops(hopRecords, journal),
    logs: createLogs({ files, partLogs }),
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
    metLimits: () =>
      Object.fromEntries(
        Object.entries(services.paces).flatMap(([part, pace]) => {
          const met = pace.met()
          return met === null ? [] : [[part, met]]
        }),
      ),
    settleTraces: client.settleTraces,
    contextFor(check, judge, held) {
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
