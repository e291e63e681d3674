import { createKernelSearcher } from './kernel-search.js';
import { createPlainSearcher } from './plain-search.js';
/** With SIMD where the platform has it; both ways find the same. */
export function createSearcher(needles, prefix) {
    return createKernelSearcher(needles, prefix) ?? createPlainSearcher(needles, prefix);
}
