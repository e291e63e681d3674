import { join } from 'node:path'
import { startReference } from '../../fixtures/stack.ts'
import { createWorkplace } from '../../src/cli/testing/workplace.ts'
import { openBrowser } from '../../src/reports/testing/open-browser.ts'

// Takes the picture of a report that README shows: `npm run picture`. The backend of this run forwards the session.

const picture = join(import.meta.dirname, '../../docs/images/report.png')

await using reference = await startReference({
  withBundle: true,
  variant: {
    backend: {
      mintCall: (usual, { inbound }) => ({
        ...usual,
        headers: { ...usual.headers, 'x-forwarded-authorization': inbound.headers.authorization ?? '' },
      }),
    },
  },
})
await using place = await createWorkplace({ ...reference.written, name: 'acme-staging' })
const { code, stderr } = await place.start(['run', '--suite', 'mint,backend,signaling,flow,bundle']).ended
if (code !== 1) throw new Error(`expected a violation, the run ended with ${code}:\n${stderr}`)
await using browser = await openBrowser()
const page = await browser.newPage({ viewport: { width: 1040, height: 1010 }, colorScheme: 'light' })
await page.goto(`file://${join(place.out, 'report.html')}`)
await page.screenshot({ path: picture })
process.stdout.write(`${picture}\n`)
