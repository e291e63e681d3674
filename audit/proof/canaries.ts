import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanaries } from '../src/self-test/canary.ts'
import type { SelfTestCell } from '../src/self-test/cells.ts'
import { loadInjectors } from '../src/self-test/injectors.ts'
import { listFiles } from '../src/self-test/list-files.ts'
import { createPlan } from '../src/self-test/plan.ts'
import { plantCanaries } from '../src/self-test/plant-canaries.ts'
import { createRandom } from '../src/testing/fuzz.ts'
import type { Material } from './packages.ts'
import { appFolders, type RealFile } from './real-files.ts'

const app = /\.(?:apk|aar|jar|ipa|aab)$/

/** Self-tests of every archive of an app, and of the packages that have none, as their users would run them. */
export async function plantIntoApps(
  material: Material,
  seed: number,
  log: (text: string) => void,
): Promise<SelfTestCell[]> {
  const cells: SelfTestCell[] = []
  const next = createCanaries('ac_live_', createRandom(seed + 1))
  for (const [name, folder] of appFolders(material)) {
    const files = await readdir(folder, { recursive: true, withFileTypes: true })
    const apps = files.filter((file) => file.isFile() && app.test(file.name))
    const paths = apps.length === 0 ? [folder] : apps.map((file) => join(file.parentPath, file.name))
    for (const path of paths) {
      const files = await listFiles([path], folder)
      cells.push(...(await plantCanaries(files, {}, { nextCanary: next })))
    }
    log(`  ${name}: ${cells.length} canaries so far`)
  }
  return cells
}

const injectors = await loadInjectors()

/** For each format a copy of one file, with a canary in every slot and encoding that it has room for. */
export function withCanaries(files: readonly RealFile[], seed: number): RealFile[] {
  const next = createCanaries('ac_live_', createRandom(seed + 2))
  return [...Map.groupBy(files, ({ format }) => format).values()].flatMap((group) => {
    for (const file of group.toSorted((a, b) => b.bytes.length - a.bytes.length)) {
      const copy = createPlan(next, injectors).injectInto(file.location, file.name, file.bytes)
      if (copy !== null) return [{ ...file, location: `${file.location} with canaries`, bytes: copy }]
    }
    return []
  })
}
