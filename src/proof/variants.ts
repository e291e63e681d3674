import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Conforming } from '../../fixtures/conforming.ts'

const folder = join(import.meta.dirname, '../../fixtures/variants')
const extension = extname(import.meta.filename)

/** Every conforming variant as `part/name`, from the files of `fixtures/variants/`. */
export async function loadConforming(): Promise<ReadonlyMap<string, Conforming>> {
  const files = (await readdir(folder)).filter(
    (file) => extname(file) === extension && !file.endsWith('.d.ts'),
  )
  const variants = new Map<string, Conforming>()
  for (const file of files.sort()) {
    const module: { conforming?: Readonly<Record<string, Conforming>> } = await import(
      pathToFileURL(join(folder, file)).href
    )
    for (const [name, variant] of Object.entries(module.conforming ?? {}))
      variants.set(`${basename(file, extension)}/${name}`, variant)
  }
  return variants
}
