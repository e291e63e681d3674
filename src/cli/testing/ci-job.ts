import { execFile } from 'node:child_process'
import { chmod, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { folderOf } from '../../../audit/src/testing/audit-files.ts'
import { runToEnd } from '../../../fixtures/package/testing/run-to-end.ts'

const program = (file: string) => `exec "${process.execPath}" "${join(import.meta.dirname, '..', file)}" "$@"`

/** As npm does, it reads the settings of the project that it is pointed at, or is run in. */
const npx = `#!/bin/sh
project=.; [ "$1" != --prefix ] || { project=$2; shift 2; }
[ ! -e "$project/.npmrc" ] || exit 99
option=$1; shift
if [ "$1" = --package ]; then asked=$2; shift 4; else asked=$1; shift; fi
echo "$asked" >>npx.txt
[ "$npm_config_prefer_offline" != true ] || echo "$asked" >>cached.txt
case $option$asked in *-audit*) ${program('audit-main.ts')};; esac
${program('main.ts')}
`
const npm = '#!/bin/sh\necho "the package $3" >package-audit.tgz; echo package-audit.tgz\n'

/** Runs a shell text in a folder of a user, where `npx` means this checkout; returns how it ended, and the files that it left. */
export async function runJob(
  shell: string,
  { files = {}, variables = {} }: { files?: Record<string, string>; variables?: Record<string, string> },
) {
  const made = await folderOf({ ...files, 'bin/npx': npx, 'bin/npm': npm })
  const { folder } = made
  for (const file of ['npx', 'npm']) await chmod(join(folder, 'bin', file), 0o755)
  const given = { ...env, ...variables, PATH: `${join(folder, 'bin')}${delimiter}${env['PATH']}` }
  const { code, stdout } = await runToEnd('bash', ['-e', '-c', shell], { cwd: folder, env: given })
  return {
    code,
    stdout,
    read: (file: string) => readFile(join(folder, file), 'utf8'),
    [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
  }
}

export interface GitlabJob {
  readonly script: readonly string[]
}

const others = ['stages', 'include', 'default', 'variables', 'workflow', 'image']

/** Reads a pipeline as GitLab does, includes and schema; `files` are texts by path. Throws with what it says is wrong. */
export async function readPipeline(
  files: Readonly<Record<string, string>>,
): Promise<Record<string, GitlabJob>> {
  await using made = await folderOf(files)
  const run = async (program: string, ...args: string[]) =>
    (await promisify(execFile)(program, args, { cwd: made.folder })).stdout
  // It reads what git knows, and where the project is from.
  await run('git', 'init', '--quiet')
  await run('git', 'remote', 'add', 'origin', 'git@gitlab.example:acme/shop.git')
  await run('git', 'add', '.')
  const reader = fileURLToPath(import.meta.resolve('gitlab-ci-local'))
  const pipeline: Record<string, GitlabJob> = parse(await run(process.execPath, reader, '--preview'))
  return Object.fromEntries(Object.entries(pipeline).filter(([name]) => !others.includes(name)))
}
