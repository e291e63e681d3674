import { linkSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { auditOnDisk, createReader } from '../../src/engine/audit-on-disk.ts'
import { createAudit } from '../../src/engine/context.ts'
import { cache, fetchPackages } from '../packages.ts'
import {
  isInstalled,
  median,
  memoryLimit,
  type Run,
  ratioLimit,
  run,
  searchOfFolder,
  tellMemory,
  timed,
  versionOf,
} from './processes.ts'

// `npm run bench:packages`: the audit of some 500 MB of real packages against its peers, as whole processes, in turns, and
// where its time goes. Needs a build; fetches packages at the first run.
const command = join(import.meta.dirname, '../../../dist/src/cli/main.js')
const [, , roundsGiven = '5'] = process.argv
const rounds = Number(roundsGiven)
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`bench:packages: the number of rounds is a whole number from 1 on, not "${roundsGiven}"`)
  process.exit(2)
}
const kinds: Readonly<Record<string, readonly string[]>> = {
  'archives of zip': ['apk', 'aar', 'jar', 'zip'],
  'compressed tar': ['tbz'],
  scripts: ['js', 'mjs', 'cjs'],
  'source maps': ['map'],
  'native code': ['so', 'wasm', 'minicap', 'exe', 'dll', ''],
}

/** Every file of the packages in a folder of its own, without a copy of its bytes. */
function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) link(source, target)
    else if (entry.isFile()) linkSync(source, target)
  }
}

function filesOf(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => ({ name, path: join(parentPath, name), location: join(parentPath, name) }))
}

function kindOf(name: string): string {
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : ''
  return Object.entries(kinds).find(([, endings]) => endings.includes(ending))?.[0] ?? 'other files'
}

/** Prints the time of one thread for the files of each kind, one after the other, in this process. */
async function printKinds(folder: string): Promise<void> {
  const spent = new Map<string, { files: number; bytes: number; seconds: number }>()
  const audit = createAudit({})
  const reader = createReader()
  for (const file of filesOf(folder)) {
    const kind = kindOf(file.name)
    const before = process.cpuUsage()
    await auditOnDisk(audit, file, { reader })
    const { user, system } = process.cpuUsage(before)
    const { files, bytes, seconds } = spent.get(kind) ?? { files: 0, bytes: 0, seconds: 0 }
    spent.set(kind, {
      files: files + 1,
      bytes: bytes + statSync(file.path).size,
      seconds: seconds + (user + system) / 1e6,
    })
  }
  const whole = [...spent.values()].reduce((sum, { seconds }) => sum + seconds, 0)
  console.log('\n| kind | files | MB | processor time | share |\n| --- | ---: | ---: | ---: | ---: |')
  for (const [kind, { files, bytes, seconds }] of [...spent].sort((a, b) => b[1].seconds - a[1].seconds))
    console.log(
      `| ${kind} | ${files} | ${(bytes / 1e6).toFixed(0)} | ${seconds.toFixed(2)} s | ${((100 * seconds) / whole).toFixed(0)} % |`,
    )
}

const peers = {
  'rg over the files and bsdtar | rg over the archives': {
    programs: ['rg', 'bsdtar'],
    line: searchOfFolder,
    limit: ratioLimit,
  },
  'ugrep -z': { programs: ['ugrep'], line: 'ugrep -z --zmax=8 -r -a -c ac_live_ "$1"; true', limit: null },
}

async function printRatios(folder: string): Promise<boolean> {
  const shell = (line: string) => run('sh', ['-c', timed(line), 'sh', folder])
  const audit = () => shell(`"${process.execPath}" "${command}" audit "$1"`)
  const present = Object.entries(peers).filter(([, { programs }]) => programs.every(isInstalled))
  const measured = new Map<string, Run[]>()
  const both: (readonly [string, () => Promise<Run>])[] = [
    ['twotoken audit', audit],
    ...present.map(([name, { line }]) => [name, () => shell(line)] as const),
  ]
  for (const [, one] of both) await one()
  for (let round = 0; round < rounds; round += 1)
    for (const [name, one] of both) measured.set(name, [...(measured.get(name) ?? []), await one()])
  const of = (name: string, what: 'seconds' | 'processorSeconds') =>
    median((measured.get(name) ?? []).map((one) => one[what]))
  console.log('\n| | time | processor time | ratio | limit |\n| --- | ---: | ---: | ---: | --- |')
  let isBroken = false
  for (const [name] of both) {
    const ratio = of('twotoken audit', 'seconds') / of(name, 'seconds')
    const limit = present.find(([one]) => one === name)?.[1].limit ?? null
    isBroken ||= limit !== null && ratio > limit
    const verdict = limit === null ? '' : `${limit}: ${ratio > limit ? 'BROKEN' : 'holds'}`
    console.log(
      `| ${name} | ${of(name, 'seconds').toFixed(2)} s | ${of(name, 'processorSeconds').toFixed(2)} s | ${ratio.toFixed(2)} | ${verdict} |`,
    )
  }
  for (const [name, { programs }] of Object.entries(peers))
    for (const program of programs.filter((one) => !isInstalled(one)))
      console.log(`${name}: not measured, ${program} is not installed`)
  return isBroken
}

async function printMemory(folder: string): Promise<boolean> {
  const { megabytes } = await run(process.execPath, ['--import', tellMemory, command, 'audit', folder])
  const isLarge = megabytes > memoryLimit
  console.log(`\nmemory: ${megabytes.toFixed(0)} MB (limit ${memoryLimit}: ${isLarge ? 'BROKEN' : 'holds'})`)
  return isLarge
}

const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, 'real-packages.json'), 'utf8')) as {
  packages: readonly string[]
}
const { folders, missing } = await fetchPackages(
  packages.map((specifier) => [specifier, specifier]),
  (text) => console.error(text),
)
const folder = await mkdtemp(join(cache, 'bench-'))
try {
  for (const [name, from] of folders) link(from, join(folder, name.replaceAll('/', '+')))
  const files = filesOf(folder)
  const bytes = files.reduce((sum, { path }) => sum + statSync(path).size, 0)
  console.log(
    `${folders.size} packages, ${files.length} files, ${(bytes / 1e6).toFixed(0)} MB; ${availableParallelism()} cores, Node ${process.version}, medians of ${rounds}`,
  )
  for (const program of ['rg', 'bsdtar', 'ugrep']) console.log(`peer: ${versionOf(program)}`)
  for (const reason of missing) console.log(`missing: ${reason}`)
  await printKinds(folder)
  const isSlow = await printRatios(folder)
  const isLarge = await printMemory(folder)
  process.exitCode = isSlow || isLarge || missing.length > 0 ? 1 : 0
} finally {
  await rm(folder, { recursive: true, force: true })
}
