import { join } from 'node:path'
import { env } from 'node:process'
import { type Ended, runToEnd } from '../../../fixtures/package/testing/run-to-end.ts'

/** The Node that runs this comes first. */
export const pathOfNode = `${join(process.execPath, '..')}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`

export const main = join(import.meta.dirname, '../main.ts')

/** Runs `twotoken` in a folder, which is its home as well. */
export function runCommand(args: readonly string[], cwd: string): Promise<Ended> {
  const { NODE_COMPILE_CACHE } = env
  return runToEnd(process.execPath, [main, ...args], {
    cwd,
    env: { PATH: pathOfNode, HOME: cwd, NODE_COMPILE_CACHE },
  })
}
