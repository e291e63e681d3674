import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { referenceSignalingPolicy } from '../../fixtures/signaling/policy.ts'
import { profileOf } from '../../fixtures/signaling/profile.ts'
import { startListening } from '../../src/base/http/listening.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { resolveConfiguration } from '../../src/configuration/load.ts'
import { type CheckResult, runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import type { BrowserSource } from '../../src/roles/client/page/browser.ts'
import { type Block, listIds } from './snippets.ts'

const signalingUrl = 'wss://signaling.shop.example/ws'

/** An app around the blocks: a session, an address, and two buttons. */
const page = `<!doctype html>
<label>Session <input id="session"></label>
<label>signalingUrl <input id="address" value="${signalingUrl}"></label>
<button id="connect">Connect</button>
<button id="disconnect">Disconnect</button>
<script type="module">
  import { createCalling, fetchCallingToken } from '/calling.mjs'
  const valueOf = (id) => document.getElementById(id).value
  let calling = null
  document.getElementById('connect').addEventListener('click', () => {
    const signalingUrl = valueOf('address') || undefined
    calling = createCalling({ signalingUrl, getAuthToken: () => fetchCallingToken(valueOf('session')) })
    calling.connect()
  })
  document.getElementById('disconnect').addEventListener('click', () => calling?.disconnect())
</script>
`

/** Serves the app that the blocks are, and judges it in a browser by their requirements. */
export async function judgeClient(
  blocks: readonly Block[],
  browsers: BrowserSource,
): Promise<readonly CheckResult[]> {
  await using stack = new AsyncDisposableStack()
  const files: Readonly<Record<string, readonly [type: string, content: string]>> = {
    '/': ['text/html', page],
    '/calling.mjs': ['text/javascript', blocks.map(({ code }) => code).join('\n')],
  }
  const { port } = stack.use(
    await startListening(
      createServer((request, response) => {
        const [type, content] = files[request.url ?? ''] ?? ['text/plain', 'nothing']
        response.writeHead(type === 'text/plain' ? 404 : 200, { 'content-type': `${type}; charset=utf-8` })
        response.end(content)
      }),
      { host: '127.0.0.1', port: 0 },
    ),
  )
  const user = (userId: string) => ({ userId, sessionToken: randomBytes(24).toString('base64url') })
  const written = {
    name: 'fixes in a browser',
    signaling: { url: signalingUrl, profile: profileOf(referenceSignalingPolicy) },
    client: {
      url: `http://127.0.0.1:${port}/`,
      driver: join(import.meta.dirname, 'client-driver.ts'),
      backendUrl: '**/calling/token',
      users: { alice: user('u-alice'), bob: user('u-bob') },
    },
  }
  const configuration = await resolveConfiguration(written, {
    directory: import.meta.dirname,
    environment: {},
  })
  const session = stack.use(await openSession(configuration, { browsers }))
  const ids = listIds(blocks)
  const results: CheckResult[] = []
  for (const check of await loadCatalogue())
    if (ids.includes(check.id)) results.push(await runCheck(check, session))
  return results
}
