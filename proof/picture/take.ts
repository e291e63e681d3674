import { join } from 'node:path'
import { exampleReport } from '../../docs/site/example-report.ts'
import { openBrowser } from '../../src/reports/testing/open-browser.ts'

// Takes the picture of a report that README shows: `npm run picture`.

const picture = join(import.meta.dirname, '../../docs/images/report.png')

await using browser = await openBrowser()
const page = await browser.newPage({ viewport: { width: 1040, height: 1010 }, colorScheme: 'light' })
await page.setContent(await exampleReport())
await page.screenshot({ path: picture })
process.stdout.write(`${picture}\n`)
