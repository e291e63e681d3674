import { defineConfig } from 'vitest/config'
import { hungMs } from '../../vitest.config.ts'

/** `npm run proof -- peers` installs what they need. */
export default defineConfig({
  test: { root: import.meta.dirname, include: ['*.test.ts'], testTimeout: hungMs, maxWorkers: 3 },
})
