import { setTimeout as delay } from 'node:timers/promises'
import { nextSecondMs } from '../base/times.ts'
import { type CommandOutcome, type CommandSurroundings, runCommand } from './command.ts'
import type { Configuration } from './configuration.ts'
import type { Problem } from './document.ts'
import { changeValues, type KeyPath, pathKey, showPath, valueAt } from './path.ts'
import { listHidden } from './places.ts'

export interface Obtained {
  readonly value: unknown
  readonly problems: readonly Problem[]
  /** A program was refused: another try would fail as well. */
  readonly isFinal: boolean
}

const alice = pathKey(['backend', 'sessions', 'alice', 'token'])
const secondDevice = ['backend', 'sessions', 'aliceSecondDevice'] as const

/** Puts what every `{ command }` prints in its place. A login with one session a user leaves alice's second device out. */
export async function obtainCredentials(
  written: unknown,
  surroundings: CommandSurroundings,
): Promise<Obtained> {
  const commands = listCommands(written).map((path) => ({
    path,
    key: pathKey(path),
    command: String(valueAt(written, [...path, 'command'])),
  }))
  const obtain = async (each: (typeof commands)[number]) => ({
    ...each,
    outcome: await runCommand(each.command, surroundings),
  })
  const outcomes = await Promise.all(commands.map(obtain))
  const outputs = new Map(
    outcomes.flatMap(({ key, outcome }) => ('output' in outcome ? [[key, outcome.output]] : [])),
  )
  const first = commands.find(({ key }) => key === alice)
  const secondKey = pathKey([...secondDevice, 'token'])
  const second = commands.find(({ key, command }) => key === secondKey && command === first?.command)
  const isOne = () => outputs.has(secondKey) && outputs.get(alice) === outputs.get(secondKey)
  if (second !== undefined && isOne()) {
    await delay(nextSecondMs)
    const { outcome } = await obtain(second)
    if ('output' in outcome) outputs.set(secondKey, outcome.output)
  }
  const leftOut = second !== undefined && isOne() ? pathKey(secondDevice) : undefined
  return {
    value: changeValues(written, (value, path) => {
      const key = pathKey(path)
      return key === leftOut ? undefined : (outputs.get(key) ?? value)
    }),
    problems: problemsOf(outcomes),
    isFinal: outcomes.some(({ outcome }) => 'isFinal' in outcome),
  }
}

/** Commands that failed alike are told once. */
function problemsOf(
  outcomes: readonly { readonly path: KeyPath; readonly outcome: CommandOutcome }[],
): Problem[] {
  const failed = outcomes.flatMap(({ path, outcome }) =>
    'failure' in outcome ? [{ path, sentence: outcome.failure, about: 'credential' as const }] : [],
  )
  const alike = Map.groupBy(failed, ({ sentence }) => sentence)
  return [...alike.values()].flatMap(([first, ...others]): Problem[] => {
    if (first === undefined) return []
    const rest = others.map(({ path }) => `; likewise ${showPath(path)}`).join('')
    return [{ ...first, sentence: `${first.sentence}${rest}` }]
  })
}

export function listCommands(written: unknown): KeyPath[] {
  return listHidden(written).flatMap(({ path, value }) => (isCommand(value) ? [path] : []))
}

function isCommand(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const others = Object.keys(value).filter((key) => key !== 'command' && key !== 'freshEverySeconds')
  return others.length === 0 && 'command' in value && typeof value.command === 'string'
}

/** Obtains renewable sessions again, for what begins late. One whose command fails stays, and its use shows it. */
export async function withNewSessions(
  configuration: Configuration,
  environment: NodeJS.ProcessEnv,
): Promise<Configuration> {
  const { backend, directory } = configuration
  if (backend === undefined) return configuration
  const { alice, aliceSecondDevice, bob } = backend.sessions
  const renewed = Object.entries({ alice, aliceSecondDevice, bob }).map(async ([name, session]) => {
    if (session?.renewal === undefined) return []
    const renewal = { ...session.renewal, obtainedAt: Date.now() }
    const outcome = await runCommand(renewal.command, { directory, environment })
    return 'output' in outcome ? [[name, { ...session, token: outcome.output, renewal }] as const] : []
  })
  const sessions = { ...backend.sessions, ...Object.fromEntries((await Promise.all(renewed)).flat()) }
  return { ...configuration, backend: { ...backend, sessions } }
}
