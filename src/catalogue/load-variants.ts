import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Conforming, Degenerate } from '../../fixtures/conforming.ts'

const folder = join(import.meta.dirname, '../../fixtures/variants')
const extension = extname(import.meta.filename)

export interface Variants {
  readonly conforming: ReadonlyMap<string, Conforming>
  readonly degenerate: ReadonlyMap<string, Degenerate>
}

interface VariantModule {
  readonly conforming?: Readonly<Record<string, Conforming>>
  readonly degenerate?: Readonly<Record<string, Degenerate>>
}

/** Every conforming and every degenerate variant as `file/name`, from the files of `fixtures/variants/`. */
export async function loadVariants(): Promise<Variants> {
  const files = (await readdir(folder)).filter(
    (file) => extname(file) === extension && !file.endsWith('.d.ts'),
  )
  const conforming = new Map<string, Conforming>()
  const degenerate = new Map<string, Degenerate>()
  for (const file of files.sort()) {
    const part = basename(file, extension)
    const module: VariantModule = await import(pathToFileURL(join(folder, file)).href)
    for (const [name, variant] of Object.entries(module.conforming ?? {}))
      conforming.set(`${part}/${name}`, variant)
    for (const [name, peer] of Object.entries(module.degenerate ?? {}))
      degenerate.set(`${part}/${name}`, peer)
  }
  return { conforming, degenerate }
}
