import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { folderOf } from '../../../audit/src/testing/audit-files.ts'

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
