import { jwksPath } from '../../fixtures/mint/answering.ts'
import { startMint } from '../../fixtures/mint/server.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { resolveConfiguration } from '../../src/configuration/load.ts'
import { type CheckResult, runCheck, sortByPhase } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import { type Block, listIds } from './snippets.ts'
import { startBlocks } from './start-backend.ts'

/** How each framework is joined. */
const accesses = {
  ws: {
    path: '/',
    profile: {
      carriage: { in: 'header', name: 'Authorization', template: 'Bearer {jwt}' },
      success: [{ frame: { path: '$.type', equals: 'welcome' } }],
      failure: [{ http: [401] }],
      unauthorized: [{ http: [401] }],
    },
  },
  'socket.io': {
    path: '/socket.io/?EIO=4&transport=websocket',
    profile: {
      carriage: { in: 'message', template: '40{"token":"{jwt}"}', after: { text: { startsWith: '0' } } },
      success: [{ text: { startsWith: '42["welcome"' } }],
      failure: [{ text: { startsWith: '44' } }],
      unauthorized: [{ text: { startsWith: '44{"message":"unauthorized"' } }],
    },
  },
} as const

/** Starts the signaling service that the blocks are, which trusts the reference's mint, and judges it by these requirements. */
export async function judgeSignaling(
  framework: keyof typeof accesses,
  blocks: readonly Block[],
  ids: readonly string[] = listIds(blocks),
): Promise<readonly CheckResult[]> {
  await using stack = new AsyncDisposableStack()
  const mint = stack.use(await startMint())
  const jwks = new URL(jwksPath, mint.url).href
  const { port } = stack.use(await startBlocks(framework, blocks, { CALLING_JWKS_URL: jwks }))
  const { path, profile } = accesses[framework]
  const written = {
    name: `fixes in ${framework}`,
    mint: { url: mint.url, apiKey: mint.keys.active },
    signaling: { url: `ws://127.0.0.1:${port}${path}`, profile },
    token: { jwks },
  }
  const configuration = await resolveConfiguration(written, {
    directory: import.meta.dirname,
    environment: {},
  })
  const session = stack.use(await openSession(configuration))
  const checks = (await loadCatalogue()).filter(({ id }) => ids.includes(id))
  return await Promise.all(sortByPhase(checks).map((check) => runCheck(check, session)))
}
