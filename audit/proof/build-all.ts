import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanaries } from '../src/self-test/canary.ts'
import { createRandom } from '../src/testing/fuzz.ts'
import { type Builder, type Built, createLedger } from './builder.ts'
import { aab, apk, apkByAapt, apkByApktool } from './builders/android.ts'
import { dalvik, java } from './builders/dalvik.ts'
import { databases, propertyLists, texts } from './builders/documents.ts'
import { hermes } from './builders/hermes.ts'
import { fatOf, native } from './builders/native.ts'
import { packed } from './builders/packed.ts'
import { web } from './builders/web.ts'
import type { Material } from './packages.ts'
import { ToolFailure } from './tools.ts'

const builders: readonly Builder[] = [
  dalvik,
  java,
  apk,
  apkByAapt,
  apkByApktool,
  aab,
  hermes,
  ...native,
  ...packed,
  propertyLists,
  databases,
  web,
  texts,
]

export interface BuiltAll {
  readonly files: readonly Built[]
  /** Builders that could not run, and why. */
  readonly missing: readonly string[]
}

/** Lets every format's tool make its file; each key follows from the seed. */
export async function buildAll(
  { seed, work, material }: { seed: number; work: string; material: Material },
  log: (text: string) => void,
): Promise<BuiltAll> {
  const next = createCanaries('ac_live_', createRandom(seed))
  const files: Built[] = []
  const missing: string[] = []
  for (const builder of builders) {
    const own = join(work, builder.name.replace(/\W+/g, '-'))
    await mkdir(own, { recursive: true })
    try {
      log(`building by ${builder.name}`)
      files.push(
        ...(await builder.build({
          work: own,
          package: packageOf(material),
          ledger: () => createLedger(next),
        })),
      )
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error
      missing.push(`${builder.name}: ${error.message}`)
    }
  }
  const slices = files.filter(({ format }) => format.startsWith('mach-o'))
  if (slices.length === 2) files.push(fat(slices))
  return { files, missing }
}

function fat(slices: readonly Built[]): Built {
  const cpus: Readonly<Record<string, number>> = { 'mach-o arm64': 0x0100000c, 'mach-o x86-64': 0x01000007 }
  const bytes = fatOf(slices.map(({ format, bytes }) => ({ cpu: cpus[format] ?? 0, bytes })))
  return { format: 'mach-o fat', name: 'fat.dylib', bytes, planted: slices.flatMap(({ planted }) => planted) }
}

function packageOf({ folders }: Material): (name: string) => string {
  return (name) => {
    const folder = folders.get(name)
    if (folder === undefined) throw new ToolFailure(`the package ${name} could not be fetched`)
    return folder
  }
}
