import { afterAll } from 'vitest'
import { loadCases } from './cases.ts'
import { browsers } from './prove.ts'
import { proveInTests } from './prove-in-tests.ts'

afterAll(() => browsers[Symbol.asyncDispose]())

// `npm run proof -- CLI` has every conforming client judged by every requirement.
proveInTests(await loadCases(({ role }) => role === 'client', { isSlice: true }), {
  // Few pages are open at once.
  timeout: 300_000,
  least: { broken: 30, conforming: 6, degenerate: 1 },
})
