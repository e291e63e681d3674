import { defineConfig } from 'vitest/config'

/** `npm run proof -- peers` installs what they need. */
export default defineConfig({
  test: { root: import.meta.dirname, include: ['*.test.ts'], testTimeout: 600_000, maxWorkers: 3 },
})
