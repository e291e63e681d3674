import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildZip } from '../../src/testing/build-archives.ts'
import { androidApp, packagesFolder, webFolder } from './audit-material.ts'
import {
  isInstalled,
  largestMemory,
  median,
  memoryLimit,
  type Run,
  ratioLimit,
  run,
  searchOfArchive,
  searchOfFolder,
  startLimit,
  tellMemory,
  timed,
  versionOf,
  webRatioLimit,
} from './processes.ts'

// The audit against its peers, as whole processes, in turns; and the memory that it takes. Needs a build.
const root = join(import.meta.dirname, '../../..')
const command = join(root, 'dist/src/cli/main.js')
const rounds = 9

const shell = (line: string, path: string) => run('sh', ['-c', timed(line), 'sh', path])
const audit = (path: string) => shell(`"${process.execPath}" "${command}" audit "$1"`, path)

/** In turns, so that what else the machine does falls on both; medians, and their ratios. */
async function compared(ours: () => Promise<Run>, theirs: () => Promise<Run>) {
  const [mine, peer]: [Run[], Run[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    mine.push(await ours())
    peer.push(await theirs())
  }
  const both = (of: (one: Run) => number) => ({ ours: median(mine.map(of)), theirs: median(peer.map(of)) })
  return { time: both(({ seconds }) => seconds), processor: both((one) => one.processorSeconds) }
}

function inWords({ ours, theirs }: { readonly ours: number; readonly theirs: number }): string {
  return `${ours.toFixed(2)} s, peer ${theirs.toFixed(2)} s, ratio ${(ours / theirs).toFixed(2)}`
}

let isBroken = false

async function compare(name: string, path: string, line: string, limit: number | null): Promise<void> {
  const peers = line.match(/\b(?:bsdtar|rg)\b/g) ?? []
  const absent = peers.find((peer) => !isInstalled(peer))
  if (absent !== undefined) {
    console.log(`${name}: not measured, ${absent} is not installed`)
    return
  }
  const { time, processor } = await compared(
    () => audit(path),
    () => shell(line, path),
  )
  const holds = limit === null || time.ours / time.theirs <= limit
  isBroken ||= !holds
  const verdict = limit === null ? 'for comparison' : `limit ${limit}: ${holds ? 'holds' : 'BROKEN'}`
  console.log(`${name}: ${inWords(time)} (${verdict}); of processors ${inWords(processor)}`)
}

/** A program that reads a file, or all of a folder, inflates what is in a zip, and searches for the prefix once. */
const floor = `const fs = require('node:fs'), zlib = require('node:zlib'), [, path] = process.argv
const search = (bytes) => bytes.includes('ac_live_')
const files = fs.statSync(path).isFile() ? [path] : fs.readdirSync(path, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile()).map((entry) => entry.parentPath + '/' + entry.name)
for (const file of files) {
  const bytes = fs.readFileSync(file), end = bytes.lastIndexOf('PK\\x05\\x06')
  search(bytes)
  if (!file.endsWith('.apk')) continue
  for (let at = bytes.readUInt32LE(end + 16); at < end; ) {
    const local = bytes.readUInt32LE(at + 42), start = local + 30 + bytes.readUInt16LE(local + 26)
    if (bytes[at + 10] === 8) search(zlib.inflateRawSync(bytes.subarray(start, start + bytes.readUInt32LE(at + 20))))
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
}`

async function compareFloor(title: string, path: string): Promise<void> {
  const { time } = await compared(
    () => audit(path),
    () => run(process.execPath, ['-e', floor, path]),
  )
  console.log(`${title}, to reading, inflating and one search by Node: ${inWords(time)} (for comparison)`)
}

async function startOf(path: string): Promise<void> {
  const runs: Run[] = []
  for (let round = 0; round < rounds; round += 1) runs.push(await audit(path))
  const seconds = median(runs.map((one) => one.seconds))
  const holds = seconds <= startLimit
  isBroken ||= !holds
  console.log(`start: ${seconds.toFixed(2)} s (limit ${startLimit}: ${holds ? 'holds' : 'BROKEN'})`)
}

async function memoryOf(name: string, path: string, limit = memoryLimit): Promise<void> {
  const { megabytes, seconds } = await run(process.execPath, ['--import', tellMemory, command, 'audit', path])
  const holds = megabytes <= limit
  isBroken ||= !holds
  console.log(
    `memory, ${name}: ${megabytes.toFixed(0)} MB in ${seconds.toFixed(1)} s (limit ${limit}: ${holds ? 'holds' : 'BROKEN'})`,
  )
}

/** Inputs that are large in their own ways, written one at a time. */
function* largeInputs(app: Buffer): Generator<readonly [name: string, file: string, bytes: Buffer]> {
  const apps = Array.from({ length: 16 }, (_, index) => ({ name: `${index}.apk`, bytes: app, stored: true }))
  yield ['an archive of 16 apps, 260 MB', 'all.apks', buildZip(apps)]
  yield [
    'the same, compressed',
    'all.tgz',
    gzipSync(Buffer.concat(apps.map(({ bytes }) => bytes)), { level: 1 }),
  ]
  yield [
    'one entry of 300 MB',
    'one.zip',
    buildZip([{ name: 'one', bytes: Buffer.alloc(300_000_000, 'some bytes') }]),
  ]
  yield ['one line of 200 MB', 'line.js', Buffer.alloc(200_000_000, 'a("bc"+d)+')]
  const script = Buffer.from(`a("ac_"+"live_"+b)\n;${'f(1,[x+"y"]);'.repeat(700_000)}`)
  yield ['a script of 9 MB to fold', 'fold.js', script]
  yield [
    'four such scripts',
    'fold.zip',
    buildZip(
      [1, 2, 3, 4].map((index) => ({
        name: `${index}.js`,
        bytes: Buffer.concat([script, Buffer.from(`${index}`)]),
      })),
    ),
  ]
  const bomb = buildZip([{ name: 'zeros', bytes: Buffer.alloc(15_000_000) }])
  const bombs = Array.from({ length: 5000 }, (_, index) => ({
    name: `${index}.zip`,
    bytes: Buffer.concat([bomb, Buffer.from(`${index}`)]),
  }))
  yield ['a bomb of bombs', 'bomb.zip', buildZip(bombs)]
  yield [
    'a source map of 60 MB',
    'app.js.map',
    Buffer.from(
      JSON.stringify({
        version: 3,
        sources: ['a.js'],
        mappings: '',
        sourcesContent: ['let a = "\\u00e9\u4e00";\n'.repeat(2_500_000)],
      }),
    ),
  ]
}

const folder = await mkdtemp(join(tmpdir(), 'twotoken-bench-'))
try {
  console.log(`on ${availableParallelism()} cores, Node ${process.version}, medians of ${rounds}`)
  const app = androidApp()
  const apk = join(folder, 'app.apk')
  await writeFile(apk, app)
  for (const program of ['rg', 'bsdtar']) console.log(`peer: ${versionOf(program)}`)
  await compare('an app of 42.8 MB', apk, searchOfArchive, ratioLimit)
  await compareFloor('the app', apk)
  const web = join(folder, 'web')
  await webFolder(web)
  await compare('a build of 20 MB', web, searchOfFolder, webRatioLimit)
  const packages = join(folder, 'packages')
  await packagesFolder(packages)
  await compare('500 MB of packages', packages, searchOfFolder, ratioLimit)
  await compareFloor('the packages', packages)
  const small = join(folder, 'small.js')
  await writeFile(small, 'f()')
  await startOf(small)
  for (const path of [apk, web, packages]) await memoryOf(basename(path), path)
  for (const [name, file, bytes] of largeInputs(app)) {
    await writeFile(join(folder, file), bytes)
    await memoryOf(name, join(folder, file), largestMemory)
    await rm(join(folder, file))
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
process.exitCode = isBroken ? 1 : 0
