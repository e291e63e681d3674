import type { Accepted } from './attempt.ts'
import { frameLeaves } from './frame-leaves.ts'

export type Told = Pick<Accepted, 'events' | 'identity'>

/** An accepted client and the user that its token was made for, which it has declared as well. */
export interface Joined {
  readonly made: Told
  readonly userId: string
}

/** Where signaling tells an accepted client who it is: the paths of its frames that name the own user of each. */
export function findOwnUserPaths(joined: readonly Joined[]): readonly string[] {
  const [first = new Set<string>(), ...others] = joined.map(
    ({ made, userId }) =>
      new Set(leavesOf(made).flatMap(({ path, value }) => (value === userId ? [path] : []))),
  )
  return [...first].filter((path) => !isInList(path) && others.every((paths) => paths.has(path)))
}

/** The user as whom frames name the client: its own, else the first other, since frames about others look alike. */
export function readNamedUser(
  { events, identity }: Told,
  paths: readonly string[],
  own: string,
): string | null {
  if (identity !== undefined) return identity
  const named = leavesOf({ events }).flatMap(({ path, value }) =>
    paths.includes(path) && typeof value === 'string' ? [value] : [],
  )
  return named.includes(own) ? own : (named[0] ?? null)
}

/** Says whether a frame that a client was sent has this user as one of its values. */
export function namesUser(made: Pick<Told, 'events'>, userId: string | undefined): boolean {
  return leavesOf(made).some(({ value }) => value === userId)
}

/** In a list of users, the own one is where chance has put it; the arguments of a call have a place each. */
function isInList(path: string): boolean {
  return /\[\d+\]/.test(path.replaceAll(/\['(?:arguments|args|params)'\]\[\d+\]/g, ''))
}

function leavesOf({ events }: Pick<Told, 'events'>) {
  return events.flatMap(({ type, text }) => (type === 'frame' ? frameLeaves(text) : []))
}
