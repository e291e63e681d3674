import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { needlesFor } from '../../src/scan/needles.ts'
import { buildZip } from '../../src/testing/build-zip.ts'
import { androidApp, mixedFolder } from './audit-material.ts'
import {
  isInstalled,
  median,
  memoryLimit,
  type Run,
  ratioLimit,
  run,
  searchOfArchive,
  searchOfFolder,
  tellMemory,
  timed,
  versionOf,
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

/** A program that reads every file of a folder, and does nothing with it. */
const reading = `const fs = require('node:fs'), bytes = Buffer.allocUnsafeSlow(64 << 20)
for (const entry of fs.readdirSync(process.argv[1], { recursive: true, withFileTypes: true }))
  if (entry.isFile()) {
    const file = fs.openSync(entry.parentPath + '/' + entry.name)
    fs.readSync(file, bytes)
    fs.closeSync(file)
  }`

async function compareReading(title: string, path: string): Promise<void> {
  const { time } = await compared(
    () => audit(path),
    () => run(process.execPath, ['-e', reading, path]),
  )
  console.log(`${title}, to reading it with Node: ${inWords(time)} (for comparison)`)
}

async function memoryOf(name: string, path: string): Promise<void> {
  const { megabytes, seconds } = await run(process.execPath, ['--import', tellMemory, command, 'audit', path])
  const holds = megabytes <= memoryLimit
  isBroken ||= !holds
  console.log(
    `memory, ${name}: ${megabytes.toFixed(0)} MB in ${seconds.toFixed(1)} s (limit ${memoryLimit}: ${holds ? 'holds' : 'BROKEN'})`,
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
  const script = Buffer.from(`a("ac_"+"live_"+b)\n;${'f(1,[x+"y"]);'.repeat(900_000)}`)
  yield ['a script of 12 MB to fold', 'fold.js', script]
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
  const mixed = join(folder, 'mixed')
  const size = await mixedFolder(mixed, app)
  const title = `a folder of ${Math.round(size / 1_000_000)} MB`
  await compare(`${title}, to a search for the prefix alone`, mixed, searchOfFolder, ratioLimit)
  await compareReading(title, mixed)
  const forms = join(folder, 'forms')
  const texts = new Set(
    needlesFor('ac_live_').map(({ bytes }) =>
      [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
    ),
  )
  await writeFile(forms, [...texts].join('\n'))
  await compare(
    `${title}, to a search for the same forms`,
    mixed,
    `rg -uuu -a -c --no-unicode -f ${forms} "$1" || true`,
    // This peer looks into no archives, and through no encodings around each other.
    null,
  )
  await memoryOf('the app', apk)
  await memoryOf('the folder', mixed)
  for (const [name, file, bytes] of largeInputs(app)) {
    await writeFile(join(folder, file), bytes)
    await memoryOf(name, join(folder, file))
    await rm(join(folder, file))
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
process.exitCode = isBroken ? 1 : 0
