import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { test } from '../../src/cli/embedded/playwright.ts'

// The requirements on a client as tests of Playwright, as users have them in their own projects.

for (const { id, title } of await loadCatalogue(['client']))
  test(`${id} ${title}`, ({ requirement }) => requirement(id))
