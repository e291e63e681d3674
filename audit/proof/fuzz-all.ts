import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zip } from '../src/self-test/containers/zip.ts'
import { createRandom, type Host, hostOf } from '../src/testing/fuzz.ts'
import { type FuzzRun, fuzz } from './fuzzing.ts'
import type { Material } from './packages.ts'
import { type RealFile, realFiles } from './real-files.ts'

const formats: ReadonlySet<string> = new Set([
  'dex',
  'arsc',
  'binary-xml',
  'binary-plist',
  'mach-o',
  'elf',
  'wasm',
  'class',
  'json',
  'source-map',
])

/** Smaller files are hardly more than a header. */
const leastBytes = 1500
const filesOfEach = 2

interface Place {
  readonly format: string
  readonly location: string
}

/** Damages two real files of each format, the smallest that have room for a key. */
export async function fuzzAll(
  material: Material,
  bundles: readonly RealFile[],
  { seed, mutants }: { readonly seed: number; readonly mutants: number },
  log: (text: string) => void,
): Promise<{ runs: FuzzRun[]; missing: string[] }> {
  const files = await realFiles(material, formats, { largest: 400_000, atMost: 400 })
  const groups = Map.groupBy([...files, ...bundles], ({ format }) => format)
  const hosts = [...groups.values()].flatMap((group) => hostsAmong(group, seed))
  const archives = await archivesOf(material, seed)
  const runs: FuzzRun[] = []
  for (const [place, host] of [...hosts, ...archives]) {
    log(`fuzzing ${place.format}: ${place.location}`)
    runs.push(await fuzz(place, host, { seed, mutants }))
  }
  const missing = [...formats, 'zip']
    .filter((format) => !runs.some((one) => one.format === format))
    .map((format) => `a real ${format} file with room for a key, to be damaged`)
  return { runs, missing }
}

function hostsAmong(group: readonly RealFile[], seed: number): [Place, Host][] {
  const hosts: [Place, Host][] = []
  for (const file of group.toSorted((a, b) => a.bytes.length - b.bytes.length)) {
    if (file.bytes.length < leastBytes) continue
    const host = hostOf(file.name, file.bytes, createRandom(seed))
    if (host !== null) hosts.push([file, host])
    if (hosts.length === filesOfEach) break
  }
  return hosts
}

const archives = [
  ['appium-uiautomator2-server', 'apks/appium-uiautomator2-server-debug-androidTest.apk'],
  ['android-apidemos', 'apks/ApiDemos-debug.apk'],
] as const
const largestArchive = 8 * 1024 * 1024

/** The key is in a stored entry, because a search cannot tell whether a compressed one still contains it. */
async function archivesOf({ folders }: Material, seed: number): Promise<[Place, Host][]> {
  const found: [Place, Host][] = []
  for (const [name, path] of archives) {
    const file = join(folders.get(name) ?? '/nowhere', path)
    if (!existsSync(file)) continue
    const bytes = await readFile(file)
    let key = ''
    const copy = zip.rewrite('a.zip', bytes, (member) => {
      if (key !== '' || member.kind !== 'zip, stored') return null
      const host = hostOf(member.name.split('/').at(-1) ?? '', member.bytes, createRandom(seed))
      key = host?.key ?? ''
      return host?.bytes ?? null
    })
    if (copy !== null && copy.length < largestArchive)
      found.push([
        { format: 'zip', location: `${name}/${path}` },
        { name: 'a.zip', bytes: copy, key },
      ])
  }
  return found
}
