import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { formatOf } from '../src/formats/registry.ts'
import type { Material } from './packages.ts'
import { run } from './tools.ts'

/** A file out of a real app. */
export interface RealFile {
  readonly format: string
  readonly location: string
  readonly name: string
  readonly bytes: Buffer
}

/** The compiler is no app, and larger than all of them. */
const notApps = new Set(['zig'])
const archive = /\.(?:apk|aar|jar|ipa|aab)$/

export function appFolders({ folders }: Material): (readonly [name: string, folder: string])[] {
  return [...folders].filter(([name]) => !notApps.has(name))
}

/** Files of some formats inside the packages and inside their archives, which `unzip` opens; each content once. */
export async function realFiles(
  material: Material,
  work: string,
  { formats, largest, atMost }: { formats: ReadonlySet<string>; largest: number; atMost: number },
): Promise<RealFile[]> {
  const found = new Map<string, RealFile>()
  for (const [name, folder] of appFolders(material)) {
    const unpacked = join(work, name)
    await mkdir(unpacked, { recursive: true })
    for (const [index, file] of (await filesIn(folder)).filter((one) => archive.test(one)).entries())
      await run('unzip', ['-q', '-o', file, '-d', join(unpacked, String(index))])
    for (const root of [folder, unpacked])
      for (const file of await filesIn(root)) {
        const bytes = await readFile(file)
        const format = formatOf(file, bytes).name
        const isWanted = formats.has(format) && bytes.length <= largest
        const count = [...found.values()].filter((one) => one.format === format).length
        if (!isWanted || count >= atMost) continue
        const location = join(name, relative(root, file))
        const content = `${format} ${bytes.length} ${bytes.toString('latin1', 0, 512)}`
        found.set(content, { format, location, name: file.slice(file.lastIndexOf('/') + 1), bytes })
      }
  }
  return [...found.values()]
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
}
