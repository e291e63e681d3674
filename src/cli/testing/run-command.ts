import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { env } from 'node:process'

/** The Node that runs this comes first. */
export const pathOfNode = `${join(process.execPath, '..')}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`

const main = join(import.meta.dirname, '../main.ts')

/** Runs `twotoken` in a folder, which is its home as well. The code is -1 where a signal ended it. */
export function runCommand(args: readonly string[], cwd: string): Promise<{ code: number; stderr: string }> {
  const { NODE_COMPILE_CACHE } = env
  return new Promise((resolve) => {
    const given = { PATH: pathOfNode, HOME: cwd, NODE_COMPILE_CACHE }
    const child = spawn(process.execPath, [main, ...args], { cwd, env: given })
    let stderr = ''
    child.stdout.resume()
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.once('close', (code) => resolve({ code: code ?? -1, stderr }))
  })
}
