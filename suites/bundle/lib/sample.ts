import { join } from 'node:path'
import type { Variant } from '../../../src/requirement/define.ts'

/** A stack with one of the samples as its build artefact. */
export function createSample(name: string): Variant {
  const path = join(import.meta.dirname, '../../../fixtures/bundles', name)
  return { configuration: { bundle: { paths: [path], mintHost: 'api.acme.example' } } }
}
