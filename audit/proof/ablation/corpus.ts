import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Canary, createCanaries } from '../../src/self-test/canary.ts'
import { loadInjectors } from '../../src/self-test/injectors.ts'
import { createPlan } from '../../src/self-test/plan.ts'
import { createRandom } from '../../src/testing/fuzz.ts'
import { mintCalls } from '../../src/testing/mint-calls.ts'
import { formsOf } from '../../src/testing/script-forms.ts'
import { buildAll } from '../build-all.ts'
import { bundleByAll } from '../builders/bundlers.ts'
import type { Material } from '../packages.ts'
import { packings } from '../packings.ts'
import { appFolders } from '../real-files.ts'
import { loadSamples, readSample } from '../samples.ts'
import { ToolFailure } from '../tools.ts'

/** Real apps that get canaries: the smaller ones. */
const largestApp = 6 * 1024 * 1024
const mostOfApps = 16 * 1024 * 1024

export interface Corpus {
  readonly missing: readonly string[]
}

/** Puts everything that real toolchains made of planted secrets into a folder, one folder for each source. */
export async function makeCorpus(
  folder: string,
  { seed, material, work }: { seed: number; material: Material; work: string },
  log: (text: string) => void,
): Promise<Corpus> {
  const put = async (name: string, bytes: Buffer | string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), bytes)
  }
  const next = createCanaries('ac_live_', createRandom(seed))
  for (const sample of await loadSamples()) await put(`samples/${sample.file}`, await readSample(sample))
  for (const [name, module] of Object.entries(mintCalls))
    for (const [form, script] of formsOf(module).entries())
      await put(`calls/${name.replace(/\W+/g, '-')}-${form}.js`, script)
  const built = await buildAll({ seed, work: join(work, 'built'), material }, log)
  for (const { name, bytes } of built.files) await put(`built/${name}`, bytes)
  const bundled = await bundleByAll(sourcesOf(next), join(work, 'bundlers'), log)
  for (const { name, bytes } of bundled.files) await put(`bundles/${name}`, bytes)
  const packed = await packAll(built.files, put, join(work, 'packed'))
  await plantIntoApps(material, next, put, log)
  return { missing: [...built.missing, ...bundled.missing, ...packed] }
}

type Put = (name: string, bytes: Buffer) => Promise<void>

async function packAll(
  files: Awaited<ReturnType<typeof buildAll>>['files'],
  put: Put,
  work: string,
): Promise<string[]> {
  const missing: string[] = []
  const small = files.filter(({ bytes }) => bytes.length < 65_536).slice(0, 12)
  for (const packing of packings.filter(({ name }) => name !== 'folder'))
    try {
      for (const { name, bytes } of await packing.pack(small, join(work, packing.name.replace(/\W+/g, '-'))))
        await put(`packed/${packing.name.replace(/\W+/g, '-')}/${name}`, bytes)
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error
      missing.push(`${packing.name}: ${error.message}`)
    }
  return missing
}

async function plantIntoApps(
  material: Material,
  next: () => Canary,
  put: Put,
  log: (text: string) => void,
): Promise<void> {
  const injectors = await loadInjectors()
  let left = mostOfApps
  for (const [name, folder] of appFolders(material))
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (!entry.isFile() || !/\.(?:apk|aar|jar|ipa|aab|hbc|so|bundle|wasm|car|unity3d)$/.test(entry.name))
        continue
      const { size } = await stat(path)
      if (size > Math.min(largestApp, left)) continue
      const copy = createPlan(next, injectors).injectInto(path, entry.name, await readFile(path))
      if (copy === null) continue
      left -= size
      await put(`apps/${name.replaceAll('/', '-')}${path.slice(folder.length).replaceAll('!', '-')}`, copy)
    }
  log(`planted into ${Math.round((mostOfApps - left) / 1e6)} MB of apps`)
}

/** A program that has secrets in the ways of developers; bundlers rewrite it as they like. */
function sourcesOf(next: () => Canary): Record<string, string> {
  const key = () => next().key
  const text = (one: string) => JSON.stringify(one)
  const halves = key()
  const template = key()
  const joined = key()
  const reversed = key()
  const codes = key()
  const split = key()
  const member = key()
  const wrapped = key()
  const looped = key()
  return {
    'tail.js': `export const tail = ${text(halves.slice(11))}\nexport const config = { api: { key: ${text(member)} } }\nexport class Keys { static live = ${text(split.slice(0, 12))} }\n`,
    'main.js': `import { config, Keys, tail } from './tail.js'
const live = 'live'
const send = (header) => fetch('/x', { headers: { authorization: header } })
send(${text(halves.slice(0, 11))} + tail)
send(\`Bearer ac_\${live}_${template.slice(8)}\`)
send(['ac', live, ${text(joined.slice(8))}].join('_'))
send(${text([...reversed].reverse().join(''))}.split('').reverse().join(''))
send(String.fromCharCode(${[...Buffer.from(codes)].join(', ')}))
send(config.api.key)
send(Keys.live + ${text(split.slice(12))})
send(atob(${text(Buffer.from(key()).toString('base64'))}))
send(atob(atob(${text(Buffer.from(Buffer.from(wrapped).toString('base64')).toString('base64'))})))
send(decodeURIComponent(${text(Buffer.from(key()).toString('hex').replace(/../g, '%$&'))}))
let out = ''
for (const code of [${[...Buffer.from(looped)].map((code) => code ^ 90).join(', ')}]) out += String.fromCharCode(code ^ 90)
send(out)
send(new TextDecoder().decode(new Uint8Array([${[...Buffer.from(key())].join(', ')}])))
const pick = (index) => [${text(key())}, ${text(key())}][index]
send(pick(1))
`,
  }
}
