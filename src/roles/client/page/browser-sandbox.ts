import { spawn } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openTempFolder } from '../../../base/temp-folder.ts'

/** A program that starts the browser as a user in whose name it may have its sandbox. */
export interface SandboxedProgram extends AsyncDisposable {
  readonly path: string
}

/** `by user namespace`: the browser refuses its sandbox to root, and gets it as another user of a namespace. */
export type BrowserSandbox = 'usual' | 'by user namespace' | 'none'

/** Root's own files stay readable: outside of the namespace this user is root. */
const asUser = ['--user', '--map-user=1000', '--map-group=1000']

/** Says how a browser of this process can have its sandbox: as the kernel and the surrounding container allow. */
export async function findBrowserSandbox(): Promise<BrowserSandbox> {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return 'usual'
  // The browser makes a namespace inside, with processes and networks that are separate.
  const inner = ['unshare', '--user', '--pid', '--net', '--fork', 'true']
  return (await succeeds('unshare', [...asUser, ...inner])) ? 'by user namespace' : 'none'
}

/** Note for users where it is lost. */
export const withoutSandbox =
  'the browser runs as root without a sandbox, since user namespaces are not allowed here: a page that escapes has root rights; run twotoken as another user'

export async function writeSandboxedProgram(browserPath: string): Promise<SandboxedProgram> {
  const folder = await openTempFolder()
  const path = join(folder.path, 'browser')
  const quoted = `'${browserPath.replaceAll("'", `'\\''`)}'`
  await writeFile(path, `#!/bin/sh\nexec unshare ${asUser.join(' ')} ${quoted} "$@"\n`)
  await chmod(path, 0o700)
  return { path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

function succeeds(file: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}
