import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { givenAdvice } from '../../base/given-environment.ts'
import { ControlLost } from '../../base/inconclusive.ts'
import { hasGroups, signalGroup } from '../../base/signal-group.ts'
import { programEndMs, programReadyMs } from '../../base/times.ts'
import { isRecord } from '../../base/tokens/decode.ts'
import type { ClientContext } from './client-context.ts'
import { type ClientDriver, ownClock, RejectedByClient, type unproxied } from './client-driver.ts'
import { parseClientState } from './page/page-driver.ts'
import type { CapturedText, OptionalAction } from './types.ts'

/** How what the program operates reaches the doubles. */
export interface ProgramAccess extends AsyncDisposable, Pick<ClientDriver, keyof typeof unproxied> {
  readonly environment: Readonly<Record<string, string>>
}

export interface ProgramOptions {
  readonly context: ClientContext
  readonly command: string
  readonly directory: string
  readonly access: ProgramAccess
  readonly environment: Readonly<Record<string, string | undefined>>
}

const optional = ['disconnect', 'configure', 'state'] as const

interface Program {
  readonly changeSignal: ClientContext['changeSignal']
  readonly access: ProgramAccess
  readonly child: ChildProcessWithoutNullStreams
  readonly captured: CapturedText[]
  readonly answers: Map<number, (answer: Readonly<Record<string, unknown>>) => void>
  /** The message by which the program said that it is ready. */
  ready: Readonly<Record<string, unknown>> | null
  lastError: string
  count: number
}

/** Starts a client that speaks the line protocol of `docs/client.md`. Throws `ControlLost` where it is not ready in time. */
export async function startProgram({
  context: { changeSignal },
  command,
  directory,
  access,
  environment,
}: ProgramOptions): Promise<ClientDriver> {
  const child = spawn(command, {
    cwd: directory,
    shell: true,
    // A group of its own, so that what the shell starts ends with it.
    detached: hasGroups,
    env: { ...environment, ...access.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const program: Program = {
    changeSignal,
    access,
    child,
    captured: [],
    answers: new Map(),
    ready: null,
    lastError: '',
    count: 0,
  }
  listen(program)
  try {
    if ((await changeSignal.waitFor(() => program.ready, programReadyMs)) === null)
      throw new ControlLost(
        `client.command did not print {"ready":true} within ${programReadyMs / 1000} s after its start; ${givenAdvice}`,
      )
  } catch (error) {
    await end(program)
    throw error
  }
  const declared = program.ready?.['can']
  const can = new Set<OptionalAction>(
    optional.filter((action) => Array.isArray(declared) && declared.includes(action)),
  )
  return {
    ...access,
    prefix: "the program's ",
    can,
    signIn: (user) => ask(program, 'signIn', { user }),
    connect: () => ask(program, 'connect'),
    signOut: () => ask(program, 'signOut'),
    disconnect: () => ask(program, 'disconnect'),
    configure: (patch) => {
      const fields = Object.entries(patch)
      const set = Object.fromEntries(fields.filter(([, value]) => value !== undefined))
      return ask(program, 'configure', {
        set,
        without: fields.filter(([, value]) => value === undefined).map(([name]) => name),
      })
    },
    state: async () => parseClientState(await ask(program, 'state')),
    capture: async () => program.captured,
    ...ownClock,
    [Symbol.asyncDispose]: () => end(program),
  }
}

function listen(program: Program): void {
  const { changeSignal, child, captured, answers } = program
  const note = (name: string, text: string) => {
    captured.push({ place: 'console', name, text, exchange: '' })
  }
  child.stdin.on('error', () => undefined)
  child.stderr.on('data', (chunk: Buffer) => {
    program.lastError = chunk.toString('utf8').trim().split('\n').at(-1) ?? program.lastError
    note('standard error', chunk.toString('utf8'))
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = parseLine(line)
    if (message === null) return note('standard output', line)
    if (message['ready'] === true) program.ready = message
    const id = message['id']
    if (typeof id === 'number') answers.get(id)?.(message)
    changeSignal.notify()
  })
  const lost = (why: string) => {
    const { lastError } = program
    changeSignal.abort(new ControlLost(`client.command ${why}${lastError === '' ? '' : `: ${lastError}`}`))
  }
  child.once('error', (error) => lost(`cannot be started (${error.message})`))
  child.once('exit', (code, signal) =>
    lost(`exited early (${signal ?? `exit code ${code}`}; ${givenAdvice})`),
  )
}

function ask(program: Program, action: string, more: object = {}): Promise<unknown> {
  const id = ++program.count
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  program.answers.set(id, ({ result, error }) => {
    if (error === undefined) resolve(result)
    else reject(new RejectedByClient(String(error)))
  })
  program.child.stdin.write(`${JSON.stringify({ id, do: action, ...more })}\n`)
  return promise
}

async function end(program: Program) {
  const ended = new Promise((resolve) => program.child.once('exit', resolve))
  if (program.child.exitCode === null && program.child.signalCode === null) {
    program.child.stdin.end()
    const timer = setTimeout(() => signalGroup(program.child.pid, 'SIGKILL'), programEndMs)
    await ended
    clearTimeout(timer)
  }
  signalGroup(program.child.pid, 'SIGKILL')
  await program.access[Symbol.asyncDispose]()
}

function parseLine(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
