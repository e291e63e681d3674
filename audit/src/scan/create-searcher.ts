import type { Needle } from './needles.ts'
import { createScalarSearcher } from './scalar-search.ts'
import type { Searcher } from './search.ts'
import { createSimdSearcher } from './simd-search.ts'

/** With SIMD where the platform has it; both ways find the same. */
export function createSearcher(needles: readonly Needle[], prefix: string): Searcher {
  return createSimdSearcher(needles, prefix) ?? createScalarSearcher(needles, prefix)
}
