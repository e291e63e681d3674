import { type ExecFileOptions, execFile } from 'node:child_process'
import { join } from 'node:path'
import { env } from 'node:process'

/** The Node that runs this comes first. */
export const pathOfNode = `${join(process.execPath, '..')}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`

export const main = join(import.meta.dirname, '../main.ts')

export interface Ended {
  /** Is -1 where a signal ended the program. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end. */
export function runToEnd(
  file: string,
  args: readonly string[],
  { input, ...options }: ExecFileOptions & { readonly input?: string } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(file, args, { maxBuffer: 1 << 28, ...options }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, stdout: String(stdout), stderr: String(stderr) })
    })
    // A program that reads nothing may have ended by then.
    child.stdin?.on('error', () => undefined).end(input)
  })
}

/** Runs `twotoken` in a folder, which is its home as well. */
export function runCommand(args: readonly string[], cwd: string): Promise<Ended> {
  const { NODE_COMPILE_CACHE } = env
  return runToEnd(process.execPath, [main, ...args], {
    cwd,
    env: { PATH: pathOfNode, HOME: cwd, NODE_COMPILE_CACHE },
  })
}
