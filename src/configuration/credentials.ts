import { type CommandSurroundings, commandOutput } from './command.ts'
import { type KeyPath, pathKey, valueAt } from './path.ts'
import type { Problem } from './problem.ts'

/** Where a credential stands, `*` for any key. */
const places: readonly KeyPath[] = [
  ['mint', 'apiKey'],
  ['mint', 'otherProjectKey'],
  ['mint', 'keys', '*'],
  ['mint', 'keys', '*', 'key'],
  ['backend', 'sessions', '*', 'token'],
  ['backend', 'sessions', '*', 'cookie'],
  ['backend', 'sessions', 'odd', '*', 'token'],
  ['backend', 'sessions', 'odd', '*', 'cookie'],
  ['backend', 'request', 'headers', '*'],
  ['backend', 'request', 'cookies', '*'],
  ['backend', 'request', 'query', '*'],
  ['backend', 'fakeMint', 'apiKey'],
  ['token', 'signWith', 'secret'],
  ['proxy', 'url'],
  ['hooks', 'signOut', 'session'],
  ['hooks', 'revokeKey', 'key'],
  ['hooks', 'suspendProject', 'key'],
]

/** Says whether a credential is wanted at this very path. */
export function isCredential(path: KeyPath): boolean {
  return places.some((place) => place.length === path.length && covers(place, path))
}

/**
 * Says whether the value at this path is hidden: a credential, a part of one, or data for a driver. No part
 * of a hidden value may be shown.
 */
export function isHidden(path: KeyPath): boolean {
  return (
    isDriverData(path) ||
    isFixedBody(path) ||
    places.some((place) => place.length <= path.length && covers(place, path))
  )
}

function covers(place: KeyPath, path: KeyPath): boolean {
  return place.every((part, index) => part === '*' || part === path[index])
}

/** `client.users.NAME.KEY`: a password there is a credential too, so that it may be `{ command }`. */
function isDriverData(path: KeyPath): boolean {
  return path[0] === 'client' && path[1] === 'users' && path.length >= 4
}

/** `backend.request.body.json.KEY`: a field there may be a token of the customer's own. */
function isFixedBody(path: KeyPath): boolean {
  return covers(['backend', 'request', 'body', 'json'], path.slice(0, 4)) && path.length >= 5
}

export interface Obtained {
  readonly value: unknown
  readonly problems: readonly Problem[]
  /** A program was refused: another try would fail as well. */
  readonly isFinal: boolean
}

/**
 * Runs the command of every `{ command }` at once, and puts what they print in their places.
 * @returns the configuration with text in their places, and a problem for each that gave none
 */
export async function runCredentialCommands(
  written: unknown,
  surroundings: CommandSurroundings,
): Promise<Obtained> {
  const outcomes = await Promise.all(
    commandsIn(written, []).map(async (path) => {
      const outcome = await commandOutput(String(valueAt(written, [...path, 'command'])), surroundings)
      return { path, outcome }
    }),
  )
  const outputs = new Map(
    outcomes.flatMap(({ path, outcome }) => ('output' in outcome ? [[pathKey(path), outcome.output]] : [])),
  )
  const problems = outcomes.flatMap(({ path, outcome }): Problem[] =>
    'failure' in outcome ? [{ path, sentence: outcome.failure, about: 'credential' }] : [],
  )
  const isFinal = outcomes.some(({ outcome }) => 'isFinal' in outcome)
  return { value: replaced(written, [], outputs), problems, isFinal }
}

/** Says whether a program has to be run for some credential. */
export function needsCommands(written: unknown): boolean {
  return commandsIn(written, []).length > 0
}

/** The configuration with a text in the place of each that a program prints. */
export function withoutCommands(written: unknown): unknown {
  const outputs = new Map(commandsIn(written, []).map((path) => [pathKey(path), 'not-obtained-yet']))
  return replaced(written, [], outputs)
}

function commandsIn(value: unknown, path: KeyPath): KeyPath[] {
  if (typeof value !== 'object' || value === null) return []
  if ((isCredential(path) || isDriverData(path) || isFixedBody(path)) && isCommand(value)) return [path]
  return entriesOf(value).flatMap(([key, item]) => commandsIn(item, [...path, key]))
}

function isCommand(value: object): boolean {
  const others = Object.keys(value).filter((key) => key !== 'command' && key !== 'freshEverySeconds')
  return others.length === 0 && 'command' in value && typeof value.command === 'string'
}

function replaced(value: unknown, path: KeyPath, outputs: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const output = outputs.get(pathKey(path))
  if (output !== undefined) return output
  const entries = entriesOf(value).map(
    ([key, item]) => [key, replaced(item, [...path, key], outputs)] as const,
  )
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries)
}

/** The entries of a mapping or a list, with numbers as the keys of a list. */
export function entriesOf(value: object): [string | number, unknown][] {
  return Array.isArray(value) ? [...value.entries()] : Object.entries(value)
}
