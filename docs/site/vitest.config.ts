import { defineConfig } from 'vitest/config'
import { hungMs } from '../../vitest.config.ts'

/** `npm run check -- site`: the built site in a browser. It installs the site's generator, so it is no part of `npm test`. */
export default defineConfig({
  test: { root: import.meta.dirname, include: ['*.test.ts'], testTimeout: hungMs, hookTimeout: hungMs },
})
