import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { containers } from '../src/self-test/containers.ts'
import { loadInjectors } from '../src/self-test/injectors.ts'
import type { Material } from './packages.ts'

/** A file out of a real app. */
export interface RealFile {
  readonly format: string
  readonly location: string
  readonly name: string
  readonly bytes: Buffer
}

/** The compiler is no app, and larger than all of them. */
const notApps = new Set(['zig'])

export function appFolders({ folders }: Material): (readonly [name: string, folder: string])[] {
  return [...folders].filter(([name]) => !notApps.has(name))
}

const deepest = 3

/** Files of some formats inside the packages, those inside their archives as well; each content once. */
export async function realFiles(
  material: Material,
  formats: ReadonlySet<string>,
  { largest, atMost }: { readonly largest: number; readonly atMost: number },
): Promise<RealFile[]> {
  const injectors = await loadInjectors()
  const found: RealFile[] = []
  const counts = new Map<string, number>()
  const seen = new Set<string>()
  const visit = (location: string, name: string, bytes: Buffer, depth: number): void => {
    const format = injectors.find((one) => one.recognises(name, bytes))?.format
    if (format !== undefined && formats.has(format) && bytes.length <= largest) {
      const count = counts.get(format) ?? 0
      const content = `${format} ${bytes.length} ${bytes.toString('latin1', 0, 512)}`
      if (count < atMost && !seen.has(content)) {
        seen.add(content)
        counts.set(format, count + 1)
        found.push({ format, location, name, bytes: Buffer.from(bytes) })
      }
      return
    }
    if (depth >= deepest) return
    const container = containers.find((one) => one.recognises(name, bytes))
    container?.rewrite(name, bytes, (member) => {
      visit(`${location}!${member.name}`, member.name.split('/').at(-1) ?? '', member.bytes, depth + 1)
      return null
    })
  }
  for (const [name, folder] of appFolders(material)) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    for (const entry of entries.sort((a, b) =>
      join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1,
    )) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      visit(`${name}${path.slice(folder.length)}`, entry.name, await readFile(path), 0)
    }
  }
  return found
}
