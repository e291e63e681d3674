import { join } from 'node:path'
import { exampleReport } from '../../docs/site/example-report.ts'
import { openBrowser } from '../../src/reports/testing/open-browser.ts'

// Takes the pictures of a report that README and docs/reports.md show: `npm run picture`.

const images = join(import.meta.dirname, '../../docs/images')

await using browser = await openBrowser()
const page = await browser.newPage({ viewport: { width: 1040, height: 800 }, colorScheme: 'light' })
await page.setContent(await exampleReport())
await page.screenshot({ path: join(images, 'report.png') })
await page
  .locator('.flow')
  .first()
  .screenshot({ path: join(images, 'token-flow.png') })
process.stdout.write(`report.png and token-flow.png are in ${images}\n`)
