import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { env } from 'node:process'

/** How the steps of a job ended, and the files that they left. */
export interface EndedJob extends AsyncDisposable {
  readonly code: number
  readonly stdout: string
  read(file: string): Promise<string>
}

/** Runs a shell text in a folder of a user, where `npx` means this checkout. */
export async function runJob(
  shell: string,
  { files = {}, variables = {} }: { files?: Record<string, string>; variables?: Record<string, string> },
): Promise<EndedJob> {
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-ci-'))
  for (const [file, text] of Object.entries(files)) {
    await mkdir(join(folder, file, '..'), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  const npx = join(folder, 'bin/npx')
  await mkdir(join(folder, 'bin'))
  const program = (file: string) =>
    `exec "${process.execPath}" "${join(import.meta.dirname, '..', file)}" "$@"`
  await writeFile(
    npx,
    // As npm does, it reads the settings of the project that it is pointed at, or is run in.
    `#!/bin/sh
project=.; [ "$1" != --prefix ] || { project=$2; shift 2; }
[ ! -e "$project/.npmrc" ] || exit 99
option=$1; shift
if [ "$1" = --package ]; then asked=$2; shift 4; else asked=$1; shift; fi
echo "$asked" >>npx.txt
[ "$npm_config_prefer_offline" != true ] || echo "$asked" >>cached.txt
case $option$asked in *-audit*) ${program('audit-main.ts')};; esac
${program('main.ts')}\n`,
  )
  const npm = join(folder, 'bin/npm')
  await writeFile(npm, '#!/bin/sh\necho "the package $3" >package-audit.tgz; echo package-audit.tgz\n')
  for (const file of [npx, npm]) await chmod(file, 0o755)
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((done) => {
    const told = { ...env, ...variables, PATH: `${join(folder, 'bin')}${delimiter}${env['PATH']}` }
    execFile('bash', ['-e', '-c', shell], { cwd: folder, env: told }, (error, out) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, stdout: out }),
    )
  })
  return {
    code,
    stdout,
    read: (file) => readFile(join(folder, file), 'utf8'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
