import { expect, test } from 'vitest'
import { browserEnvironment } from './browser.ts'

test('a browser gets what it runs with, and no credential of the suite', () => {
  const needed = {
    PATH: '/bin',
    HOME: '/root',
    LANG: 'C',
    LC_ALL: 'C',
    DISPLAY: ':0',
    XDG_RUNTIME_DIR: '/run',
    SystemRoot: 'C:\\Windows',
  }
  expect(
    browserEnvironment({
      ...needed,
      MINT_KEY: 'a key',
      HTTPS_PROXY: 'http://u:p@proxy',
      NODE_OPTIONS: '-r x',
    }),
  ).toEqual(needed)
})
