import type { Needle } from './needles.ts'
import { createPlainSearcher } from './scalar-search.ts'
import type { Searcher } from './search.ts'
import { createKernelSearcher } from './simd-search.ts'

/** With SIMD where the platform has it; both ways find the same. */
export function createSearcher(needles: readonly Needle[], prefix: string): Searcher {
  return createKernelSearcher(needles, prefix) ?? createPlainSearcher(needles, prefix)
}
