import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openTempFolder } from '../../base/temp-folder.ts'
import type { RunResults } from '../../reports/results.ts'
import { main } from './run-command.ts'

export interface Running {
  readonly process: ChildProcess
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
  stdout(): string
  /** Resolves when stderr has said all of them; rejects when the command ends without. */
  says(...texts: readonly string[]): Promise<void>
}

/** A folder with a configuration, in which the real command is run; gone afterwards. */
export type Workplace = Awaited<ReturnType<typeof createWorkplace>>

/** `configuration` is the text of the file, or its content. */
export async function createWorkplace(configuration: unknown) {
  const temp = await openTempFolder()
  const folder = temp.path
  const config = join(folder, 'twotoken.yaml')
  const out = join(folder, 'twotoken-results')
  await writeFile(config, typeof configuration === 'string' ? configuration : JSON.stringify(configuration))
  const groups: number[] = []
  return {
    folder,
    out,
    /** `twotoken` with these arguments, `run` with this configuration, in a process group; the prelude is a shell's words before it. */
    start(args: readonly string[], { prelude }: { readonly prelude?: string } = {}): Running {
      const [name = '', ...others] = args
      const words = [process.execPath, main, name, ...(name === 'run' ? ['--config', config] : []), ...others]
      const running = startProcess(
        prelude === undefined ? words : ['sh', '-c', `${prelude}; exec "$@"`, 'sh', ...words],
        folder,
      )
      if (running.process.pid !== undefined) groups.push(running.process.pid)
      return running
    },
    results: async (within = ''): Promise<RunResults> =>
      JSON.parse(await readFile(join(out, within, 'results.json'), 'utf8')),
    read: (name: string) => readFile(join(out, name), 'utf8'),
    write: (name: string, text: string) => writeFile(join(folder, name), text),
    async [Symbol.asyncDispose]() {
      for (const group of groups) killGroup(group)
      await temp[Symbol.asyncDispose]()
    },
  }
}

function startProcess([file = '', ...args]: readonly string[], folder: string): Running {
  const child = spawn(file, args, { cwd: folder, detached: true })
  let stdout = ''
  let stderr = ''
  let said = () => {}
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    said()
  })
  const ended = new Promise<Awaited<Running['ended']>>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
  return {
    process: child,
    ended,
    stdout: () => stdout,
    says: (...texts) =>
      new Promise((resolve, reject) => {
        said = () => {
          if (texts.every((text) => stderr.includes(text))) resolve()
        }
        said()
        void ended.then(() => reject(new Error(`the command ended without saying so:\n${stderr}`)))
      }),
  }
}

/** The processes of a group that are still there, but for those that only wait to be collected. */
export async function livingIn(group: number): Promise<string[]> {
  if (!existsSync('/proc')) return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  return stats.filter((stat) => {
    const [state, , groupOf] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(groupOf) === group && state !== 'Z'
  })
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // It has ended, as it should have.
  }
}
