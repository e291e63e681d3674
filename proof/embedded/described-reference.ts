import { join } from 'node:path'

/** Where the reference that Playwright's own run meets is described, while it runs. */
export const describedReference = join(
  import.meta.dirname,
  '../../twotoken-results/playwright/reference.yaml',
)
