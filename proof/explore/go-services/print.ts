import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { CheckResult } from '../../../src/requirement/run.ts'
import { configure, type GoService, type ServiceRole } from './configuration.ts'
import { faults, habits } from './list.ts'

// Explores services in Go, several at once, each until its first finding: npm run proof:go-services -- --role mint --latency 50,500.
// With --conforming those without a fault, to the end. With --run, `run` is asked instead: it must see no fault. Needs Go.

const { values, positionals: only } = parseArgs({
  allowPositionals: true,
  options: {
    role: { type: 'string', default: 'mint,backend,signaling' },
    latency: { type: 'string', default: '50' },
    seeds: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '5' },
    rate: { type: 'string', default: '25' },
    'side-by-side': { type: 'string', default: '8' },
    // A machine with more to do than this begins no further one.
    'most-load': { type: 'string', default: 'Infinity' },
    port: { type: 'string', default: '20000' },
    conforming: { type: 'boolean', default: false },
    run: { type: 'boolean', default: false },
  },
})

interface Task extends GoService {
  readonly seed: string
}

interface Outcome extends Task {
  /** Null where it ended without one. */
  readonly foundAfterSeconds: number | null
  readonly isWrong: boolean
}

const listOf = (text: string) => text.split(',').filter((one) => one !== '')
const directory = mkdtempSync(join(tmpdir(), 'go-services-'))
const program = join(directory, 'go-services')
if (
  spawnSync('go', ['build', '-o', program, '.'], { cwd: import.meta.dirname, stdio: 'inherit' }).status !== 0
)
  end('go build failed: install Go 1.19 or later (Debian: golang-go)')
const main = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url))

const tasks: Task[] = listOf(values.latency).flatMap((latency) =>
  listOf(values.seeds).flatMap((seed) =>
    listOf(values.role).flatMap((role) =>
      ((values.conforming ? habits : faults)[role as ServiceRole] ?? [])
        .filter((name) => only.length === 0 || only.includes(name))
        .map((name) => ({
          role: role as ServiceRole,
          name,
          seed,
          isConforming: values.conforming,
          latencyMs: Number(latency),
          rate: Number(values.rate),
        })),
    ),
  ),
)

if (tasks.length === 0)
  end(`no service is chosen by ${process.argv.slice(2).join(' ')}: look at the names in list.ts`)

const outcomes: Outcome[] = []
let next = 0
let port = Number(values.port)
async function workInTurn(): Promise<void> {
  for (let task = tasks[next]; task !== undefined; task = tasks[next]) {
    next += 1
    await waitForIdleMachine()
    outcomes.push(await examine(task, await findPorts()))
  }
}

async function waitForIdleMachine(): Promise<void> {
  while ((loadavg()[0] ?? 0) > Number(values['most-load'])) await delay(5_000)
}

await Promise.all(Array.from({ length: Number(values['side-by-side']) }, workInTurn))
printTable()
rmSync(directory, { recursive: true })
process.exitCode = outcomes.some(({ isWrong }) => isWrong) ? 1 : 0

function end(why: string): never {
  rmSync(directory, { recursive: true })
  process.stderr.write(`${why}\n`)
  process.exit(2)
}

async function examine(task: Task, port: number): Promise<Outcome> {
  const { role, name, latencyMs, seed } = task
  const folder = join(directory, `${role}-${name}-${latencyMs}-${seed}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'twotoken.yaml'), JSON.stringify(configure(task, program, port)))
  const command = values.run
    ? ['run', '--suite', role]
    : ['explore', role, '--minutes', values.minutes, '--seed', seed]
  const { code, foundAfterSeconds } = await callCli(folder, [...command, '--out', 'out'])
  const load = `a load of ${(loadavg()[0] ?? 0).toFixed(0)} at its end`
  const checks = readChecks(folder)
  const seen = checks.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
  const isFound = checks.some(isFinding)
  const isBroken = code === 2 || code === 4
  const isWrong = values.run
    ? isBroken || seen.some(({ verdict }) => verdict !== 'warn')
    : values.conforming
      ? isBroken || seen.length > 0
      : !isFound
  const told = checks[0]?.observations
  const line = [
    `${isWrong ? 'GAP' : 'ok '} ${role} ${name}, ${latencyMs} ms, seed ${seed}: exit ${code}`,
    ...(foundAfterSeconds === null ? [] : [`after ${foundAfterSeconds} s`]),
    ...seen.map(({ id, verdict, reason, remarks = [] }) => [id, verdict, reason, ...remarks].join(' ')),
    ...(values.run
      ? []
      : [`${String(told?.['stories'])} stories of ${String(told?.['steps'])} steps, ${load}`]),
  ]
  process.stdout.write(`${line.join('; ')}\n`)
  if (isWrong && (isBroken || values.conforming))
    process.stdout.write(readFileSync(join(folder, 'console.txt'), 'utf8'))
  return { ...task, foundAfterSeconds: isFound ? foundAfterSeconds : null, isWrong }
}

/** The first of two ports that no other program has. */
async function findPorts(): Promise<number> {
  for (;;) {
    const first = port
    port += 2
    if ((await isFree(first)) && (await isFree(first + 1))) return first
  }
}

function isFree(wanted: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(wanted, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Ends it at its first finding; a second look at the story has confirmed that. */
function callCli(
  folder: string,
  command: readonly string[],
): Promise<{ code: number; foundAfterSeconds: number | null }> {
  const child = spawn(process.execPath, [main, ...command, '--config', 'twotoken.yaml'], { cwd: folder })
  const begun = performance.now()
  let console = ''
  let foundAfterSeconds: number | null = null
  const read = (text: Buffer) => {
    console += text.toString()
    if (foundAfterSeconds !== null || !console.includes('found a story against')) return
    foundAfterSeconds = Math.round((performance.now() - begun) / 1000)
    if (!values.conforming) child.kill('SIGINT')
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  return new Promise((resolve) =>
    child.on('close', (code) => {
      writeFileSync(join(folder, 'console.txt'), console)
      resolve({ code: code ?? -1, foundAfterSeconds })
    }),
  )
}

function readChecks(folder: string): readonly CheckResult[] {
  try {
    return JSON.parse(readFileSync(join(folder, 'out', 'results.json'), 'utf8')).checks
  } catch {
    return []
  }
}

/** A warning about what was seen once is none. */
function isFinding({ verdict, remarks = [] }: CheckResult): boolean {
  return verdict === 'fail' || (verdict === 'warn' && remarks.length === 0)
}

function printTable(): void {
  for (const role of listOf(values.role))
    for (const latency of listOf(values.latency))
      for (const seed of listOf(values.seeds)) {
        const own = outcomes.filter(
          (one) => one.role === role && one.latencyMs === Number(latency) && one.seed === seed,
        )
        const right = own.filter(({ isWrong }) => !isWrong)
        const isDrawn = ({ name }: Task) => /^\d+$/.test(name)
        const times = right.flatMap(({ foundAfterSeconds }) => foundAfterSeconds ?? []).sort((a, b) => a - b)
        process.stdout.write(
          `${role}, ${latency} ms, seed ${seed}: ${right.length} of ${own.length}, ${right.filter(isDrawn).length} of ${own.filter(isDrawn).length} automata; median ${times[Math.floor(times.length / 2)] ?? '-'} s, slowest ${times.at(-1) ?? '-'} s\n`,
        )
      }
}
