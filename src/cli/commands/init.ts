import { existsSync } from 'node:fs'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseEnv } from 'node:util'
import { TwotokenError } from '../../base/errors.ts'
import { writeFileWhole } from '../../base/write-file.ts'
import { readEnvFile } from '../../configuration/env-file.ts'
import { learnUserIds } from '../../run/learn-user-ids.ts'
import type { RunEnvironment } from '../../run/options.ts'
import { interruptible } from '../environment.ts'
import { askBackend, type ConfirmedPlan } from '../init/ask-backend.ts'
import {
  configurationTemplate,
  envLine,
  exampleLines,
  expiredFile,
  loginFile,
  renderConfiguration,
  renderExpired,
  renderJob,
  renderLogin,
} from '../init/backend-files.ts'
import {
  type BackendPlan,
  type GivenPlan,
  proposePlan,
  secretVariables,
  testUsers,
  variableOf,
} from '../init/backend-plan.ts'
import { findBackend } from '../init/find-backend.ts'
import { type Dialogue, openDialogue } from '../output/terminal.ts'
import { run } from './run.ts'

export interface InitOptions extends GivenPlan {
  readonly directory: string
  readonly force?: boolean
  readonly yes?: boolean
  /** Asks the user; without it, and without `yes` and values, the template is written unchanged. */
  readonly dialogue?: Dialogue | undefined
}

/** `twotoken init`: describes the implementation in this folder, and judges its backend. Returns the exit code of that run. */
export async function initCommand(
  options: Omit<InitOptions, 'directory' | 'dialogue'> & { readonly run: boolean },
  environment: RunEnvironment,
): Promise<number> {
  const { directory, stdout, variables } = environment
  const dialogue = options.yes === true ? undefined : await openDialogue(environment)
  const { said, plan } = await initialise({ ...options, directory, dialogue })
  for (const line of said) stdout.write(`${line}\n`)
  if (plan !== null) {
    const { values } = await readEnvFile(directory, variables)
    const missing = secretVariables(plan).filter((name) => (values[name] ?? '') === '')
    if (missing.length > 0) stdout.write(`set ${missing.join(' and ')} in .env\n`)
    const mayRun = options.run && missing.length === 0 && plan.startCommand !== null
    if (mayRun && ((await dialogue?.confirm('run it now?', true)) ?? true))
      return await runFirst(plan, environment)
  }
  stdout.write('next: npx twotoken doctor\n')
  return 0
}

/** Judges the backend for the first time, after a start that shows for whom it mints. */
const runFirst = interruptible(async (plan: BackendPlan, environment: RunEnvironment, signal) => {
  const { directory, variables, stdout, stderr } = environment
  const file = join(directory, 'twotoken.yaml')
  stderr.write('starting the backend to learn its user ids\n')
  const ids = await learnUserIds(file, environment, signal).catch((error: unknown) => {
    if (signal.aborted) throw error
    const isRefused = error instanceof TwotokenError && error.code === 'credential'
    const byHand = isRefused ? `; to see what the login answers, try it while ${plan.startCommand} runs` : ''
    stderr.write(`correct the files, then run: npx twotoken run --suite backend${byHand}\n`)
    throw error
  })
  if (ids !== null) {
    const { values } = await readEnvFile(directory, variables)
    const program = renderExpired(ids.session, values)
    if (program !== null) {
      // A program that is there is the user's.
      const expired = join(directory, expiredFile)
      if (!existsSync(expired)) await writeFileWhole(expired, program)
      stderr.write(`${expiredFile} prints an expired session\n`)
    }
    await writeFileWhole(file, renderConfiguration(plan, { userIds: ids, hasExpired: program !== null }))
    const { alice, bob } = plan.users
    stderr.write(`the user ids are ${ids.alice} (${alice}) and ${ids.bob} (${bob}): check them\n`)
  }
  const code = await run({ suites: ['backend'], config: file }, environment)
  stdout.write('next: npx twotoken run --suite backend --watch reruns what failed when a file changes\n')
  return code
})

/**
 * Writes `twotoken.yaml` for a backend that is found or given, with the files around it, else as a commented template.
 * @returns what it did, and the plan of the backend, if it is one
 * @throws TwotokenError `usage` where there is one already and `force` is not given
 */
export async function initialise(options: InitOptions) {
  const { directory, force = false, yes = false, dialogue } = options
  const file = join(directory, 'twotoken.yaml')
  const isThere = existsSync(file)
  // Before the first question.
  if (isThere && !force) throw existsError(file)
  const name = basename(directory) || 'my-implementation'
  const isValued = [options.start, options.backendUrl, options.login].some((value) => value !== undefined)
  const found = isValued || yes || dialogue !== undefined ? await findBackend(directory) : null
  const wrote = `${isThere ? 'overwrote' : 'wrote'} ${file}`
  if (found !== null || isValued) {
    const proposed = proposePlan(name, found, options, await findService(directory))
    const confirmed =
      dialogue === undefined ? { plan: proposed, passwords: {} } : await askBackend(dialogue, proposed)
    if (confirmed !== null) {
      await writeNew(file, renderConfiguration(confirmed.plan, null), force)
      return {
        said: [
          ...(dialogue === undefined ? tellTaken(confirmed.plan) : []),
          wrote,
          ...(await writeBesides(confirmed.plan, confirmed.passwords, directory)),
        ],
        plan: confirmed.plan,
      }
    }
  }
  await writeNew(file, configurationTemplate, force)
  const nothing =
    found === null && (yes || dialogue !== undefined) ? ['no backend was found in this folder'] : []
  const blank =
    'it lists every key: fill in your parts, or run "npx twotoken init --yes --force" to detect a backend'
  return { said: [...nothing, wrote, blank], plan: null }
}

function tellTaken({ url, method, routes, login, startCommand }: BackendPlan): string[] {
  return [
    `token route: ${method} ${url}${routes.length > 1 ? `, the likeliest of ${routes.length} routes: correct it with --backend-url` : ''}`,
    `login: ${login.kind === 'http' ? login.url : login.kind === 'command' ? login.command : 'none was found: give one with --login, or set the sessions in .env'}`,
    `start: ${startCommand ?? 'none was found: give one with --start'}`,
  ]
}

async function writeNew(file: string, text: string, force: boolean): Promise<void> {
  await writeFile(file, text, { flag: force ? 'w' : 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'EEXIST') throw existsError(file, cause)
    throw new TwotokenError(
      'unwritable',
      `cannot write ${file} (${cause.code}): make the folder writable`,
      cause,
    )
  })
}

/** Writes the login, `.env`, `.env.example` and the CI job; a file that is there is only added to. */
async function writeBesides(
  plan: BackendPlan,
  passwords: ConfirmedPlan['passwords'],
  directory: string,
): Promise<string[]> {
  const said: string[] = []
  const writeAbsent = async (file: string, text: string) => {
    if (existsSync(join(directory, file))) return void said.push(`kept ${file}`)
    await writeFileWhole(join(directory, file), text)
    said.push(`wrote ${file}`)
  }
  if (plan.login.kind === 'http') await writeAbsent(loginFile, renderLogin(plan.login))
  const typed = testUsers.flatMap((user) => {
    const password = passwords[user] ?? ''
    return password === '' ? [] : [envLine(variableOf(user, plan.login), password)]
  })
  said.push(...(await addLines('.env.example', exampleLines(plan), directory)))
  said.push(...(await addLines('.env', typed, directory)))
  const job = renderJob(plan)
  if (job !== null) {
    await writeAbsent(job.file, job.text)
    if (job.advice !== '') said.push(job.advice)
  }
  said.push(...(await ignore(['.env', 'twotoken-results'], directory)))
  return said
}

async function ignore(entries: readonly string[], directory: string): Promise<string[]> {
  const file = join(directory, '.gitignore')
  const before = await readText(file)
  const named = before.split('\n').map((line) => line.trim().replace(/^\/|\/$/g, ''))
  const added = entries.filter((entry) => !named.includes(entry))
  if (added.length === 0) return []
  await appendLines(file, before, added)
  return [`added ${added.join(' and ')} to .gitignore`]
}

async function appendLines(file: string, before: string, lines: readonly string[], mode?: number) {
  const separator = before === '' || before.endsWith('\n') ? '' : '\n'
  await appendFile(file, `${separator}${lines.join('\n')}\n`, { mode })
}

/** Adds lines NAME=value whose name a file does not have. */
async function addLines(file: string, lines: readonly string[], directory: string): Promise<string[]> {
  const path = join(directory, file)
  const before = await readText(path)
  const known = Object.keys(parseEnv(before))
  const added = lines.filter((line) => !known.includes(line.slice(0, line.indexOf('='))))
  if (added.length === 0) return []
  await appendLines(path, before, ['# Test users of twotoken', ...added], file === '.env' ? 0o600 : 0o666)
  return [`${before === '' ? 'wrote' : 'added to'} ${file}`]
}

async function readText(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '')
}

/** The service that runs the project's CI, by its files or by the address of its repository. */
async function findService(directory: string): Promise<BackendPlan['ci']> {
  if (existsSync(join(directory, '.gitlab-ci.yml'))) return 'gitlab'
  if (existsSync(join(directory, '.github'))) return 'github'
  const config = await readText(join(directory, '.git/config'))
  const remotes = config.split('\n').filter((line) => line.trim().startsWith('url'))
  if (remotes.some((line) => line.includes('github.com'))) return 'github'
  return remotes.some((line) => line.includes('gitlab')) ? 'gitlab' : null
}

function existsError(file: string, cause?: unknown): TwotokenError {
  return new TwotokenError('usage', `${file} already exists: keep it, or overwrite it with --force`, cause)
}
