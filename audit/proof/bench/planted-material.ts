import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createCanaries } from '../../src/self-test/canary.ts'
import { loadInjectors } from '../../src/self-test/injectors.ts'
import { createPlan } from '../../src/self-test/plan.ts'
import { createRandom } from '../../src/testing/fuzz.ts'
import { loadSamples, readSample } from '../samples.ts'
import { scriptIdioms } from '../script-idioms.ts'

/** Sources of the planted keys: a column each. */
export const sources = ['samples', 'real files', 'archives', 'scripts'] as const

/** Fingerprints of the planted keys, by their source. */
export type PlantedKeys = Readonly<Record<(typeof sources)[number], ReadonlySet<string>>>

/** In bytes: of one real file, and of all of them. */
const [largestFile, mostOfFiles] = [3_000_000, 40_000_000]

/** Writes files with planted keys: samples of every format, real packages with canaries, scripts that assemble a key. */
export async function writePlanted(folder: string, packages: ReadonlyMap<string, string>) {
  const put = async (name: string, bytes: Buffer | string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), bytes)
  }
  const planted = Object.fromEntries(sources.map((source) => [source, new Set<string>()])) as Record<
    (typeof sources)[number],
    Set<string>
  >
  for (const sample of await loadSamples()) {
    await put(`samples/${sample.file}`, await readSample(sample))
    for (const { fingerprint } of sample.planted) planted.samples.add(fingerprint)
  }
  const next = createCanaries('ac_live_', createRandom(20_261_128))
  for (const [index, write] of Object.values(scriptIdioms)
    .flatMap((kind) => Object.values(kind))
    .entries()) {
    const { key, fingerprint } = next(26)
    planted.scripts.add(fingerprint)
    await put(`scripts/${index}.js`, write(key))
  }
  const plan = createPlan(next, await loadInjectors())
  for (const { name, from } of await smallFiles(packages)) {
    const bytes = await readFile(from)
    await put(`packages/${name}`, plan.injectInto(name, name.split('/').at(-1) ?? '', bytes) ?? bytes)
  }
  for (const { container, fingerprint, refused } of plan.canaries())
    if (refused === undefined) planted[container.length === 0 ? 'real files' : 'archives'].add(fingerprint)
  return planted satisfies PlantedKeys
}

/** Files of the packages in turns, so that the first package does not take all of the room. */
async function smallFiles(packages: ReadonlyMap<string, string>) {
  const lists = await Promise.all(
    [...packages].map(async ([packageName, from]) =>
      (await readdir(from, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .sort()
        .map((path) => ({
          name: `${packageName.replaceAll('/', '+')}${path.slice(from.length)}`,
          from: path,
        })),
    ),
  )
  const taken: { name: string; from: string }[] = []
  let left = mostOfFiles
  for (let at = 0; lists.some(({ length }) => at < length); at += 1)
    for (const file of lists.flatMap((list) => list[at] ?? [])) {
      const { length } = await readFile(file.from)
      if (length > Math.min(largestFile, left)) continue
      left -= length
      taken.push(file)
    }
  return taken
}
