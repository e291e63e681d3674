import { parsePeerJson } from '../../../src/base/parse-peer-json.ts'
import { jsonPaths } from '../../../src/base/tokens/json-paths.ts'
import type { Accepted } from '../../../src/roles/signaling/attempt.ts'

/** An accepted client and the user that its token was made for, which it has declared as well. */
export interface Joined {
  readonly made: Pick<Accepted, 'events'>
  readonly userId: string
}

/** Where signaling tells an accepted client who it is: the paths of its frames that name the own user of each. */
export function findOwnUserPaths(joined: readonly Joined[]): readonly string[] {
  const [first = new Set<string>(), ...others] = joined.map(
    ({ made, userId }) =>
      new Set(leavesOf(made).flatMap(({ path, value }) => (value === userId ? [path] : []))),
  )
  return [...first].filter((path) => others.every((paths) => paths.has(path)))
}

/** The user that signaling tells an accepted client it is; null where it does not tell. */
export function readOwnUser(made: Pick<Accepted, 'events'>, paths: readonly string[]): string | null {
  const named = leavesOf(made).find(({ path, value }) => paths.includes(path) && typeof value === 'string')
  return typeof named?.value === 'string' ? named.value : null
}

/** The other user that signaling tells an accepted client it is; null where some frame names its own, or none names any. */
export function readWrongUser(
  made: Pick<Accepted, 'events'>,
  paths: readonly string[],
  own: string,
): string | null {
  // In a list of users, another may come to be at the place where the own one was.
  const single = paths.filter((path) => !/\[\d+\]/.test(path))
  const named = leavesOf(made).flatMap(({ path, value }) =>
    single.includes(path) && typeof value === 'string' ? [value] : [],
  )
  return named.includes(own) ? null : (named[0] ?? null)
}

/** Whether a frame that a client was sent has this user as one of its values. */
export function namesUser(made: Pick<Accepted, 'events'>, userId: string | undefined): boolean {
  return leavesOf(made).some(({ value }) => value === userId)
}

function leavesOf({ events }: Pick<Accepted, 'events'>) {
  return events.flatMap(({ type, text }) => (type === 'frame' ? jsonPaths(parse(text)) : []))
}

function parse(text: string): unknown {
  try {
    return parsePeerJson(text)
  } catch {
    return null
  }
}
