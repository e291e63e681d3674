import { setTimeout as delay } from 'node:timers/promises'
import { isRecord } from '../base/tokens/decode.ts'
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

const alice = pathKey(['backend', 'sessions', 'alice', 'token'])
const secondDevice = pathKey(['backend', 'sessions', 'aliceSecondDevice', 'token'])
/** Tokens that differ by the second of the sign-in alone are two when they are further apart. */
const nextSecondMs = 1_100

/**
 * Runs the command of every `{ command }` at once, and puts what they print in their places. Where alice's second device gets
 * her own session from the same command, it signs in once more a second later; a login that has one session for each user
 * leaves the second device out.
 * @returns the configuration with text in their places, and a problem for each that gave none
 */
export async function runCredentialCommands(
  written: unknown,
  surroundings: CommandSurroundings,
): Promise<Obtained> {
  const commands = commandsIn(written, []).map((path) => ({
    path,
    key: pathKey(path),
    command: String(valueAt(written, [...path, 'command'])),
  }))
  const obtain = async (each: (typeof commands)[number]) => ({
    ...each,
    outcome: await commandOutput(each.command, surroundings),
  })
  const outcomes = await Promise.all(commands.map(obtain))
  const outputs = new Map(
    outcomes.flatMap(({ key, outcome }) => ('output' in outcome ? [[key, outcome.output]] : [])),
  )
  const first = commands.find(({ key }) => key === alice)
  const second = commands.find(({ key, command }) => key === secondDevice && command === first?.command)
  const isOne = () => outputs.get(alice) === outputs.get(secondDevice)
  if (second !== undefined && outputs.has(secondDevice) && isOne()) {
    await delay(nextSecondMs)
    const { outcome } = await obtain(second)
    if ('output' in outcome) outputs.set(secondDevice, outcome.output)
  }
  const problems = outcomes.flatMap(({ path, outcome }): Problem[] =>
    'failure' in outcome ? [{ path, sentence: outcome.failure, about: 'credential' }] : [],
  )
  const isFinal = outcomes.some(({ outcome }) => 'isFinal' in outcome)
  const value = replaced(written, [], outputs)
  const isLeftOut = second !== undefined && outputs.has(secondDevice) && isOne()
  return { value: isLeftOut ? without(value, second.path.slice(0, -1)) : value, problems, isFinal }
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

/** The value without the key at the end of a path. */
function without(value: unknown, [key = '', ...below]: KeyPath): unknown {
  if (!isRecord(value)) return value
  const { [key]: inner, ...others } = value
  return below.length === 0 ? others : { ...others, [key]: without(inner, below) }
}

/** The entries of a mapping or a list, with numbers as the keys of a list. */
export function entriesOf(value: object): [string | number, unknown][] {
  return Array.isArray(value) ? [...value.entries()] : Object.entries(value)
}
