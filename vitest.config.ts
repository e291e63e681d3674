import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,suites,fixtures,contracts}/**/*.test.ts'],
    // The proof keeps many real servers busy at once; its own cases bound every exchange.
    testTimeout: 20_000,
    pool: 'forks',
    env: { PACT_DO_NOT_TRACK: 'true' },
    // Most of a case of the proof is waiting for a token to expire.
    maxConcurrency: 16,
  },
})
