import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Conforming, Degenerate } from '../../fixtures/conforming.ts'
import { TwotokenError } from '../base/errors.ts'
import { findNearestNames } from '../base/nearest-names.ts'
import type { Variant } from '../requirement/define.ts'
import { type LoadModule, loadOnce, loadProvenCatalogue } from './load-requirements.ts'

const folder = join(import.meta.dirname, '../../fixtures/variants')
const extension = extname(import.meta.filename)

interface VariantModule {
  readonly conforming?: Readonly<Record<string, Conforming>>
  readonly degenerate?: Readonly<Record<string, Degenerate>>
}

/** Every conforming and every degenerate variant as `file/name`, from the files of `fixtures/variants/`. */
export async function loadVariants(load: LoadModule = loadOnce) {
  const files = (await readdir(folder)).filter(
    (file) => extname(file) === extension && !file.endsWith('.d.ts'),
  )
  const conforming = new Map<string, Conforming>()
  const degenerate = new Map<string, Degenerate>()
  for (const file of files.sort()) {
    const part = basename(file, extension)
    const module: VariantModule = await load(join(folder, file))
    for (const [name, variant] of Object.entries(module.conforming ?? {}))
      conforming.set(`${part}/${name}`, variant)
    for (const [name, peer] of Object.entries(module.degenerate ?? {}))
      degenerate.set(`${part}/${name}`, peer)
  }
  return { conforming, degenerate }
}

export async function loadNamedVariants(): Promise<ReadonlyMap<string, Variant>> {
  const [catalogue, { conforming, degenerate }] = await Promise.all([loadProvenCatalogue(), loadVariants()])
  return new Map([
    ...[...conforming, ...degenerate].map(([name, { variant }]) => [toSlug(name), variant] as const),
    ...catalogue.flatMap(({ id, catches }) =>
      Object.entries(catches).map(([name, variant]) => [nameBrokenVariant(id, name), variant] as const),
    ),
  ])
}

export function nameBrokenVariant(id: string, name: string): string {
  return `${id}/${hyphenate(name)}`
}

/** The variant of a name such as `MINT-04/a-broken-one`. Throws TwotokenError `usage` with the nearest names. */
export function findVariant(name: string, variants: ReadonlyMap<string, Variant>): Variant {
  const wanted = toSlug(name).toLowerCase()
  for (const [known, variant] of variants) if (known.toLowerCase() === wanted) return variant
  throw new TwotokenError(
    'usage',
    `unknown variant "${name}"; did you mean ${findNearestNames(name, [...variants.keys()])}?`,
  )
}

/** Words joined with hyphens, after the part or the id before the first slash. */
function toSlug(name: string): string {
  const slash = name.indexOf('/')
  return slash < 0 ? hyphenate(name) : `${name.slice(0, slash)}/${hyphenate(name.slice(slash + 1))}`
}

function hyphenate(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
