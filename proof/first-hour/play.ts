import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathOfNode } from '../../src/cli/testing/run-command.ts'

const root = join(import.meta.dirname, '../..')
const main = join(root, 'src/cli/main.ts')

export type Backend = 'express' | 'fastapi' | 'rails'

/** A first hour as it was played: `init` in the folder of a backend, until it had judged it. */
export interface FirstHour {
  readonly code: number | null
  readonly seconds: number
  readonly said: string
  readonly configuration: string
  readonly job: string
}

/** Copies a backend that mints for the user whom the request names, and has `init` judge it, with nothing but two logins given. */
export async function playFirstHour(backend: Backend): Promise<FirstHour> {
  const above = await mkdtemp(join(tmpdir(), 'twotoken-first-hour-'))
  try {
    const folder = join(above, 'shop')
    await cp(join(import.meta.dirname, 'backends', backend), folder, { recursive: true })
    if (backend === 'express') await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, '.env'), 'ALICE_PASSWORD=ann-1\nBOB_PASSWORD=ben-2\n')
    const started = performance.now()
    const users = 'ann@shop.example,ben@shop.example'
    const { code, said } = await runInit(['init', '--yes', '--users', users, '--ci', 'github'], folder)
    const seconds = (performance.now() - started) / 1000
    const read = (file: string) => readFile(join(folder, file), 'utf8')
    const [configuration, job] = await Promise.all([
      read('twotoken.yaml'),
      read('.github/workflows/twotoken.yml'),
    ])
    return { code, seconds, said, configuration, job }
  } finally {
    await rm(above, { recursive: true, force: true })
  }
}

/** Python and Ruby are those of the system: a version manager may come before them on the PATH. */
function runInit(args: readonly string[], cwd: string): Promise<{ code: number | null; said: string }> {
  const path = pathOfNode.replace(':/usr/local/sbin:/usr/local/bin', '')
  return new Promise((done) => {
    const child = spawn(process.execPath, [main, ...args], { cwd, env: { PATH: path, HOME: cwd } })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    child.once('close', (code) => done({ code, said }))
  })
}
