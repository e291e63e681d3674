import { TwotokenError } from '../base/errors.ts'
import { findNearestNames } from '../base/nearest-names.ts'
import type { AnyCheck, Variant } from '../requirement/define.ts'

/** The name under which a broken variant of a requirement can be started. */
export function brokenVariantName(id: string, name: string): string {
  return `${id}/${words(name)}`
}

/**
 * The variant of this name: `mint/a-conforming-one`, or `MINT-04/a-broken-one`.
 * @throws TwotokenError `usage`, with the nearest names
 */
export function variantNamed(name: string, variants: ReadonlyMap<string, Variant>): Variant {
  const wanted = slug(name).toLowerCase()
  for (const [known, variant] of variants) if (known.toLowerCase() === wanted) return variant
  throw new TwotokenError(
    'usage',
    `${name} is no variant; the nearest are ${findNearestNames(name, [...variants.keys()])}`,
  )
}

/** Every variant that can be started, by name. */
export async function loadNamedVariants(): Promise<ReadonlyMap<string, Variant>> {
  const [{ loadCatalogue }, { loadVariants }] = await Promise.all([
    import('./load-requirements.ts'),
    import('./load-variants.ts'),
  ])
  const [catalogue, { conforming, degenerate }] = await Promise.all([loadCatalogue(), loadVariants()])
  return new Map([
    ...[...conforming, ...degenerate].map(([name, { variant }]) => [slug(name), variant] as const),
    ...catalogue.flatMap(brokenVariants),
  ])
}

function brokenVariants({ id, catches }: AnyCheck): [string, Variant][] {
  return Object.entries(catches).map(([name, variant]) => [brokenVariantName(id, name), variant])
}

/** Words joined with hyphens, after the part or the id that stands before the first slash. */
function slug(name: string): string {
  const slash = name.indexOf('/')
  return slash < 0 ? words(name) : `${name.slice(0, slash)}/${words(name.slice(slash + 1))}`
}

function words(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
