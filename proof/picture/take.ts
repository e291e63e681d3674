import { join } from 'node:path'
import { exampleReport } from '../../docs/site/example-report.ts'
import { openBrowser } from '../../src/reports/testing/open-browser.ts'

// Takes the pictures of a report that README and docs/reports.md show: `npm run picture`.

/** A third of the size of PNG, of which each installation has a copy. */
const quality = 65
const images = join(import.meta.dirname, '../../docs/images')

await using browser = await openBrowser()
const page = await browser.newPage({ viewport: { width: 1040, height: 800 }, colorScheme: 'light' })
await page.setContent(await exampleReport())
await page.screenshot({ path: join(images, 'report.webp'), type: 'webp', quality })
await page
  .locator('.flow')
  .first()
  .screenshot({ path: join(images, 'token-flow.webp'), type: 'webp', quality })
process.stdout.write(`report.webp and token-flow.webp are in ${images}\n`)
