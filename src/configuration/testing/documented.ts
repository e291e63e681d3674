import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'

/** The first example of a page that has a key such as `backend.request`, as it is written there; throws where it has none. */
export async function documentedExample(page: string, path: string): Promise<Record<string, unknown>> {
  const text = await readFile(join(import.meta.dirname, '../../../docs', page), 'utf8')
  const examples = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, example = '']) => parse(example))
  const found = examples.find((example) =>
    path.split('.').reduce((value, key) => (isMapping(value) ? value[key] : undefined), example),
  )
  if (!isMapping(found)) throw new Error(`docs/${page} has no example with ${path}`)
  return found
}

export function sectionOf(example: Record<string, unknown>, key: string): Record<string, unknown> {
  const section = example[key]
  if (!isMapping(section)) throw new Error(`the example has no mapping at ${key}`)
  return section
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
