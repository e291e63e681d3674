import type { CommonContext, Needed } from '../../requirement/needs.ts'
import type { Session } from '../../requirement/session.ts'
import type { ClientApp } from '../../roles/client/types.ts'
import type { Ground } from '../engine/ground.ts'
import { clientInvariants } from './invariants.ts'
import { type ClientStep, makeSteps } from './steps.ts'
import { surroundClient } from './surroundings.ts'
import { type ClientTellingOptions, tellClient } from './tell-client.ts'

/** What stories about a client need. */
export const clientNeeds = ['client', 'signalingDouble'] as const
export type ClientParts = CommonContext & Pick<Needed, (typeof clientNeeds)[number]>

/** A client with doubles for all that it talks to: each story opens it anew. */
export function openClientGround(
  session: Session,
  parts: ClientParts,
  { restart = async () => {} }: { readonly restart?: () => Promise<void> },
): Ground<ClientStep> {
  const { client, configuration, signalingDouble } = parts
  const hasBob = parts.available('clientBob') !== undefined
  const isPage = client.kind === 'page'
  // A page cannot see the status of a rejected upgrade.
  const seesRefusals = client.kind === 'program' || signalingDouble.atConnect !== 'http'
  let lastOpened: Pick<ClientApp, 'can'> | null = null
  return {
    role: 'client',
    invariants: clientInvariants,
    makeSteps: (random) => makeSteps({ hasBob, canDriveClock: isPage }, random),
    opening: 'alice signed in and is connected.',
    unjudged: () => ({
      ...(client.seesEverything
        ? {}
        : { 'EXP-31': `requests of a ${client.kind} to other hosts cannot be observed` }),
      ...(lastOpened?.can('disconnect') === false
        ? { 'EXP-35': 'needs disconnect: a step that the driver does not offer' }
        : isPage
          ? {}
          : { 'EXP-35': `the clock of a ${client.kind} cannot be advanced until a token expires` }),
      ...(seesRefusals
        ? {}
        : {
            'EXP-36': 'a page cannot see the HTTP status by which signaling.profile rejects a handshake',
          }),
      ...(lastOpened?.can('state') === false
        ? { 'EXP-38': 'needs state, by which a client says that it has failed' }
        : {}),
    }),
    async tell(story) {
      await restart()
      await using app = await client.open(isPage ? { drivenClock: { offsetMs: 0 } } : {})
      lastOpened = app
      const surroundings = surroundClient(app, { remembersRefusals: seesRefusals })
      const { user } = await app.join('alice')
      await app.waitOnClientClock(() => true, 0)
      const telling = tellClient({
        app,
        surroundings,
        alice: user,
        hasBob,
        reconnectSeconds: configuration.limits.reconnectSeconds,
        carriage: carriageOf(configuration),
        seesRefusals,
      })
      return await story(telling)
    },
    drain: () => session.journal.drain(),
  }
}

function carriageOf({ signaling }: ClientParts['configuration']): ClientTellingOptions['carriage'] {
  const access = signaling?.access
  const where = access !== undefined && 'profile' in access ? access.profile.carriage.in : null
  return where === 'message' || where === 'cookie' ? where : 'other'
}
