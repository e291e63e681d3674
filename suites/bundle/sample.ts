import { join } from 'node:path'
import type { Variant } from '../../src/requirement/define.ts'

/** A stack whose build artefact is one of the samples. */
export function createSample(name: string): Variant {
  const path = join(import.meta.dirname, '../../fixtures/bundles', name)
  return { configuration: { bundle: { paths: [path], mintHost: 'api.acme.example' } } }
}
