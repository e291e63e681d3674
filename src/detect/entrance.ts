import { addPath, type JoinRequest } from '../roles/signaling/join-request.ts'
import type { SignalingProfile } from '../roles/signaling/types.ts'
import type { Prober, Trace } from './prober.ts'

/** A header, or a path below the address, that every upgrade needs, whatever its credential. */
export type Entrance = Pick<SignalingProfile, 'headers' | 'path'>

/** The path of a session of SockJS. */
const sessionPath = '/{random}/{random}/websocket'

/**
 * Finds an entrance for an upgrade that is refused as it is, and not for want of a credential. It tries the
 * origins, and the path of a session. Empty where nothing is needed, or nothing helps. Each guess costs one
 * attempt, and the right one another.
 */
export async function findEntrance(
  bare: JoinRequest,
  refused: Trace['end'],
  { prober, origins, windowMs }: { prober: Prober; origins: readonly string[]; windowMs: number },
): Promise<Entrance> {
  if (refused?.type !== 'http' || refused.code === 401) return {}
  const guesses: readonly Entrance[] = [
    ...origins.map((origin) => ({ headers: { Origin: origin } })),
    { path: sessionPath },
  ]
  for (const guess of guesses) {
    const lets = async () => {
      const { isReached, end } = await prober.probe(enterBy(guess, bare), { windowMs })
      return isReached && isFurther(end, refused)
    }
    if ((await lets()) && (await lets())) return guess
  }
  return {}
}

export function enterBy({ headers = {}, path = '' }: Entrance, join: JoinRequest): JoinRequest {
  return { ...join, url: addPath(join.url, path), headers: [...Object.entries(headers), ...join.headers] }
}

/** The upgrade was completed, or is refused for want of a credential instead. */
function isFurther(end: Trace['end'], refused: NonNullable<Trace['end']>): boolean {
  if (end === null || end.type === 'close') return true
  return end.type === 'http' && (end.code === 401 || (end.code === 403 && refused.code === 404))
}
