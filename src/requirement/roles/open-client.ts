import { createHider } from '../../base/evidence/hide.ts'
import { givenEnvironment } from '../../base/given-environment.ts'
import { createAuthority } from '../../base/tls/certificates.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { configuredNames, serverKeys } from '../../configuration/register-secrets.ts'
import type { Device, DeviceOperator } from '../../roles/client/device/manual-device.ts'
import { describeDouble, findSpokenSignaling } from '../../roles/client/doubles/spoken-signaling.ts'
import { goOnJourney } from '../../roles/client/journey.ts'
import { createClient } from '../../roles/client/open-client.ts'
import { type BrowserSource, createBrowserSource } from '../../roles/client/page/browser.ts'
import { createTraceRecorder } from '../../roles/client/page/trace-recorder.ts'
import type { RunningJudge } from '../judge.ts'
import type { Provided } from '../needs.ts'
import type { RunServices } from './run-services.ts'
import { createSharedJourney } from './shared-journey.ts'

export interface ClientRoleOptions {
  /** A browser to share with other sessions; one of this session, started when a page is opened, where absent. */
  readonly browsers?: BrowserSource
  /** Where traces and screenshots of checks that came to no good go; none are made where absent. */
  readonly evidenceFolder?: string | undefined
  /** The person who operates the device that is the client under test. */
  readonly operator?: DeviceOperator
  readonly environment: NodeJS.ProcessEnv
}

/** The client under test, a second user, and the double of signaling that it meets. */
export async function openClientRole(
  { clock, configuration, ca, fingerprintKey, journal, secrets, testKey }: RunServices,
  { browsers, evidenceFolder, operator, environment }: ClientRoleOptions,
) {
  const { client: settings } = configuration
  const source =
    browsers ?? createBrowserSource(settings?.browser === undefined ? {} : { path: settings.browser })
  const names = configuredNames(configuration, secrets)
  const hider = createHider({ secrets, fingerprintKey, names })
  const traces = evidenceFolder === undefined ? null : await createTraceRecorder(evidenceFolder, hider)
  const spoken = settings === undefined ? null : await findSpokenSignaling(configuration.signaling?.access)
  const isOperated = settings?.command !== undefined && settings.observe?.by === 'proxy'
  const device: Device | undefined =
    operator === undefined && !isOperated
      ? undefined
      : {
          operator: operator ?? null,
          authority: createAuthority(),
          isSetUp: false,
          free: Promise.resolve(),
        }
  const clientBob = settings?.users['bob']
  const shared = createSharedJourney((from, to) => traces?.share(from, to))
  return {
    provide(checkId: string, judge: RunningJudge, isFirstTry: boolean): Provided {
      const client = createClient({
        configuration,
        spoken,
        testKey: testKey ?? null,
        ca,
        browsers: source,
        environment: withoutKeys(environment, configuration),
        holdsSoFar: judge.holdsSoFar,
        follow: async (context) => (await traces?.follow(checkId, context)) ?? (() => Promise.resolve()),
        device,
        journal,
        secrets,
        clock,
      })
      const drive = client && (() => goOnJourney(client))
      return {
        client,
        journey: drive && isFirstTry ? () => shared.read({ checkId, judge }, drive) : drive,
        clientBob,
        signalingDouble:
          spoken === null ? undefined : describeDouble(spoken, { seesStatus: client?.kind !== 'page' }),
      }
    },
    /** Keeps the traces and screenshots of a check, or forgets them; the names of the files. */
    settleTraces: async (checkId: string, isWanted: boolean): Promise<string[]> =>
      (await traces?.settle(checkId, isWanted)) ?? [],
    async [Symbol.asyncDispose]() {
      await traces?.[Symbol.asyncDispose]()
      if (browsers === undefined) await source[Symbol.asyncDispose]()
    },
  }
}

/** Variables for the client, of which none holds a key of the mint, whatever the configuration names. */
function withoutKeys(environment: NodeJS.ProcessEnv, configuration: Configuration): NodeJS.ProcessEnv {
  const keys = serverKeys(configuration)
  const given = givenEnvironment(environment, configuration, configuration.client?.command)
  return Object.fromEntries(
    Object.entries(given).filter(([, value = '']) => !keys.some((key) => value.includes(key))),
  )
}
