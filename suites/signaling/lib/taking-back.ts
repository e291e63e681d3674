import type { BrokenVariants, Catch } from '../../../src/requirement/define.ts'

interface TakenBack {
  /** Only rejections for this reason come late. */
  readonly only?: 'missing' | 'invalid' | 'expired'
  /**
   * Frames that follow the welcome; `peers` are the users that are online, for a service that sends these.
   */
  readonly more?: (peers: readonly string[]) => readonly string[]
  readonly afterMs?: number
  readonly as: 'warn' | 'fail'
  readonly configuration?: Readonly<Record<string, unknown>> | undefined
}

/** Signaling that says success before it has verified, and rejects afterwards. */
export function takingBack({ only, more = () => [], afterMs = 100, as, configuration }: TakenBack): Catch {
  return {
    signaling: {
      refuse: (reason, announced) =>
        only !== undefined && reason !== only
          ? announced
          : {
              by: 'late',
              frames: (peers) => ['{"type":"welcome"}', ...more(peers)],
              afterMs,
              rejection: announced,
            },
    },
    configuration: { ...configuration, signaling: { profile: { settleMs: 400 } } },
    as,
  }
}

/** Signaling that welcomes each client before it rejects it. */
export const earlyWelcomes: BrokenVariants = {
  'welcomes, and rejects at once': takingBack({ afterMs: 0, as: 'warn' }),
  'welcomes, and rejects 100 ms later': takingBack({ as: 'warn' }),
  'tells who is online before it rejects': takingBack({
    more: (peers) => [JSON.stringify({ type: 'online', users: peers.map((id) => ({ id })) })],
    as: 'fail',
  }),
}
