import { extname, join } from 'node:path'
import type { PactFile } from './pact-file.ts'
import type { Shape } from './provider.ts'

/** The contracts that are part of the package: from the sources, or from `dist`. */
export const ownPactsFolder = join(
  import.meta.dirname,
  extname(import.meta.filename) === '.ts' ? '../..' : '../../..',
  'contracts/pacts',
)

const consumerByShape = /^backend-(token|jwt|json-string|bare-text)$/

/** Keeps the contract with the given shape, of those that differ only in the body shape of the mint. */
export function selectByShape(pacts: readonly PactFile[], shape: Shape): readonly PactFile[] {
  const shaped = pacts.filter(({ consumer }) => consumerByShape.test(consumer))
  if (shaped.length < 2) return pacts
  const wanted = `backend-${typeof shape === 'object' || shape === 'unknown' ? 'token' : shape}`
  return pacts.filter(({ consumer }) => !consumerByShape.test(consumer) || consumer === wanted)
}
