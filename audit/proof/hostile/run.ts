import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { folderOf } from '../../src/testing/audit-files.ts'
import { hostileCases } from './cases.ts'
import type { HostileCase, Spent } from './hostile-case.ts'
import type { InputsOrder } from './inputs.worker.ts'

/** Also of the start of the process, which is no part of the case. */
const startSeconds = 10
/** For a case that waits for something that never comes: on a busy machine, a second of a processor takes a minute. */
const patienceMsForSecond = 60_000
const worker = join(import.meta.dirname, 'case.worker.ts')

const { values, positionals } = parseArgs({
  options: {
    slice: { type: 'boolean', default: false },
    /** Leaves out the cases with this in their name. */
    without: { type: 'string', multiple: true, default: [] },
    /** Every so many cases, beginning with one of them: `3/12`. */
    part: { type: 'string', default: '1/1' },
  },
  allowPositionals: true,
})

const [, part = '', parts = ''] = /^(\d+)\/(\d+)$/.exec(values.part) ?? []
const chosen = hostileCases
  .filter(
    ({ name, isInSlice }) =>
      (!values.slice || isInSlice) &&
      positionals.every((word) => name.includes(word)) &&
      !values.without.some((word) => name.includes(word)),
  )
  .filter((_, index) => index % Number(parts) === Number(part) - 1)
if (chosen.length === 0)
  throw new Error('no case has all of these words in its name, or --part is not like 3/12')

await using made = await folderOf({})
/** Makes the inputs: a child's memory, as the system states it, is never less than that of the process that starts it. */
const maker = fork(join(import.meta.dirname, 'inputs.worker.ts'), { execArgv: ['--no-warnings'] })
const makerEnded = once(maker, 'exit')

let red = 0
for (const one of chosen) {
  const spent = await readApart(one, await makeInputs(one))
  const reason = reasonAgainst(one, spent)
  if (reason !== null) red += 1
  const { seconds, megabytes } = spent
  console.log(
    `${reason === null ? 'ok ' : 'RED'} ${seconds.toFixed(1).padStart(5)} s ${megabytes.toFixed(0).padStart(5)} MB  ${one.name}${reason === null ? '' : `: ${reason}`}`,
  )
}
console.log(`${chosen.length} cases, ${red} red`)
maker.disconnect()
process.exitCode = red === 0 ? 0 : 1

function reasonAgainst(one: HostileCase, { seconds, megabytes, failure }: Spent): string | null {
  if (failure !== null) return failure
  if (seconds > one.seconds) return `took more than ${one.seconds} s of a processor`
  return megabytes > one.megabytes ? `took more than ${one.megabytes} MB` : null
}

async function makeInputs({ name }: HostileCase): Promise<readonly string[]> {
  const order: InputsOrder = { name, folder: join(made.folder, 'inputs') }
  maker.send(order)
  const [answer] = await Promise.race([once(maker, 'message'), makerEnded])
  if (!Array.isArray(answer)) throw new Error(`the inputs of "${name}" could not be made`)
  return answer
}

/**
 * Runs a case in another process, so that its memory is measured alone. All cases share compiled sources: the package
 * ships such sources, too. The system ends the process by its processor time, which other programs do not change.
 */
function readApart({ name, seconds }: HostileCase, paths: readonly string[]): Promise<Spent> {
  const mostSeconds = Math.ceil(seconds * 2 + startSeconds)
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      `ulimit -t ${mostSeconds}; NODE_COMPILE_CACHE="$0" exec "$@"`,
      join(made.folder, 'compiled'),
      process.execPath,
      '--no-warnings',
      worker,
      name,
      ...paths,
    ],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  return new Promise((resolve) => {
    let spent: Spent | null = null
    const alarm = setTimeout(() => child.kill('SIGKILL'), mostSeconds * patienceMsForSecond)
    child.on('message', (message) => {
      spent = message as Spent
    })
    child.on('exit', (code, signal) => {
      clearTimeout(alarm)
      const failure = `no result: the process ended with ${signal ?? code}, after ${mostSeconds} s of a processor at most`
      resolve(spent ?? { seconds: 0, megabytes: 0, failure })
    })
  })
}
