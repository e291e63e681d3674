import { randomBytes } from 'node:crypto'
import { startHooks } from '../../fixtures/hooks.ts'
import { jwksPath } from '../../fixtures/mint/issuing.ts'
import { type StartedMint, startMint } from '../../fixtures/mint/server.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { resolveConfiguration } from '../../src/configuration/load.ts'
import { type CheckResult, runCheck, sortByTurn } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import { type Block, listIds } from './snippets.ts'
import { startBlocks } from './start-blocks.ts'

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
  const operatorSecret = randomBytes(24).toString('hex')
  const { port } = stack.use(
    await startBlocks(framework, blocks, { CALLING_JWKS_URL: jwks, OPERATOR_SECRET: operatorSecret }),
  )
  const { hooks, otherProjectKey } = stack.use(await startEnds(mint, { port, operatorSecret }))
  const { path, profile } = accesses[framework]
  const written = {
    name: `fixes in ${framework}`,
    mint: { url: mint.url, apiKey: mint.keys.active, otherProjectKey },
    hooks,
    signaling: { url: `ws://127.0.0.1:${port}${path}`, profile },
    token: { jwks },
  }
  const configuration = await resolveConfiguration(written, {
    directory: import.meta.dirname,
    environment: {},
  })
  const session = stack.use(await openSession(configuration))
  const checks = (await loadCatalogue()).filter(({ id }) => ids.includes(id))
  return await Promise.all(sortByTurn(checks).map((check) => runCheck(check, session)))
}

/** An operator who revokes a key and suspends a project at the mint, and tells signaling each time. */
async function startEnds(
  { projects }: StartedMint,
  { port, operatorSecret }: { readonly port: number; readonly operatorSecret: string },
) {
  const tellSignaling = async (project: string | undefined) => {
    const { status } = await fetch(`http://127.0.0.1:${port}/ended`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorSecret}` },
      body: JSON.stringify({ claim: 'project', value: project }),
    })
    if (status !== 204) throw new Error(`POST /ended returned ${status}`)
  }
  const projectOf = (key: string) => projects.keys().find((known) => known.key === key)?.project.id
  const newKey = (name: string) => projects.createKey(projects.create({ name }), name).key
  const { written, ...operator } = await startHooks({
    async revokeKey(key) {
      const project = projectOf(key)
      projects.revokeKey(key)
      await tellSignaling(project)
    },
    async suspendProject(key) {
      projects.suspendProject(key)
      await tellSignaling(projectOf(key))
    },
  })
  const { revokeKey, suspendProject } = written
  return {
    ...operator,
    otherProjectKey: newKey('to revoke'),
    hooks: { revokeKey, suspendProject: { ...suspendProject, key: newKey('to suspend') } },
  }
}
