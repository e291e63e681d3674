import { type CommonContext, type Needed, needTexts } from '../../requirement/needs.ts'
import type { Session } from '../../requirement/session.ts'
import type { ClientApp } from '../../roles/client/types.ts'
import type { Subject } from '../engine/subject.ts'
import { clientInvariants } from './invariants.ts'
import { type ClientStep, commands, makePlain, makeSteps, users } from './steps.ts'
import { surroundClient } from './surroundings.ts'
import { type ClientRunOptions, tellClient } from './tell-client.ts'

/** Parts that stories about a client need. */
export const clientNeeds = ['client', 'signalingDouble'] as const
export type ClientParts = CommonContext & Pick<Needed, (typeof clientNeeds)[number]>

/** Delays need not show exactly: what is begun within one step may only not be due to fail within it. */
const clockStepMs = 200

/** A client with doubles for all that it talks to: each story opens it anew. */
export function openClientSubject(session: Session, parts: ClientParts): Subject<ClientStep> {
  const { client, configuration, signalingDouble } = parts
  const hasBob = parts.available('clientBob') !== undefined
  const isPage = client.kind === 'page'
  const userIds = users.map((name) => configuration.client?.users?.[name]?.['userId'] ?? name).map(String)
  // A WebSocket of the web standard does not show the status of a rejected upgrade, in a program either.
  const isHidden = signalingDouble.atConnect === 'http'
  const refusal =
    isHidden && client.kind === 'program' && signalingDouble.inSession !== null
      ? 'refuse once open'
      : 'refuse'
  const seesRefusals = !isHidden || refusal === 'refuse once open'
  let lastOpened: Pick<ClientApp, 'can'> | null = null
  const open = () => client.open(isPage ? { drivenClock: { offsetMs: 0, stepMs: clockStepMs } } : {})
  let ahead: Promise<ClientApp> | null = null
  /** Opens the client of the next story while one is told; of a device there is only one. */
  const takeOpened = async (): Promise<ClientApp> => {
    const app = await (ahead ?? open())
    ahead = client.kind === 'observed' ? null : open()
    // Who takes it hears of it.
    ahead?.catch(() => undefined)
    return app
  }
  return {
    role: 'client',
    invariants: clientInvariants,
    // The beginning of a story costs the most. Each story draws on some kinds of steps only.
    stories: { aRound: 1, shortest: 16, longest: 32 },
    makePlain,
    commands: hasBob ? commands : commands.filter((command) => command !== 'switch user'),
    commandOf: ({ does }) => does,
    makeSteps: (round, random) => makeSteps({ hasBob, canDriveClock: isPage }, round, random),
    opening: 'alice signed in and is connected.',
    unjudged: () => ({
      'EXP-31': client.seesEverything
        ? undefined
        : `requests of a ${client.kind} to other hosts cannot be observed`,
      'EXP-32': hasBob ? undefined : `needs ${needTexts.clientBob.wants}`,
      'EXP-35':
        lastOpened?.can('disconnect') === false
          ? 'needs disconnect: a step that the driver does not offer'
          : isPage
            ? undefined
            : `the clock of a ${client.kind} cannot be advanced until a token expires`,
      'EXP-36': seesRefusals
        ? undefined
        : 'a client need not see the HTTP status by which signaling.profile rejects a handshake',
      'EXP-38':
        lastOpened?.can('state') === false
          ? 'needs state, by which a client says that it has failed'
          : undefined,
    }),
    async tell(story) {
      await using app = await takeOpened()
      lastOpened = app
      const surroundings = surroundClient(app, { remembersRefusals: seesRefusals, refusal, userIds })
      const { user } = await app.join('alice')
      await app.waitOnClientClock(() => true, 0)
      const modelRun = tellClient({
        app,
        surroundings,
        alice: user,
        hasBob,
        reconnectSeconds: configuration.limits.reconnectSeconds,
        carriage: carriageOf(configuration),
      })
      return await story(modelRun)
    },
    drain: () => session.journal.drain(),
    async end() {
      const unused = await ahead?.catch(() => null)
      await unused?.[Symbol.asyncDispose]()
    },
  }
}

function carriageOf({ signaling }: ClientParts['configuration']): ClientRunOptions['carriage'] {
  const access = signaling?.access
  const where = access !== undefined && 'profile' in access ? access.profile.carriage.in : null
  return where === 'message' || where === 'cookie' ? where : 'other'
}
