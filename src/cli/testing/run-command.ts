import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** The Node that runs this comes first. */
export const pathOfNode = `${join(process.execPath, '..')}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`

const main = join(import.meta.dirname, '../main.ts')

/** Runs `twotoken` in a folder, which is its home as well. The code is -1 where a signal ended it. */
export function runCommand(args: readonly string[], cwd: string): Promise<{ code: number; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [main, ...args], { cwd, env: { PATH: pathOfNode, HOME: cwd } })
    let stderr = ''
    child.stdout.resume()
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.once('close', (code) => resolve({ code: code ?? -1, stderr }))
  })
}
