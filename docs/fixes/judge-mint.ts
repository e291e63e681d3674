import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startHooks } from '../../fixtures/hooks.ts'
import { generateKey } from '../../fixtures/mint/keys.ts'
import { startSignaling } from '../../fixtures/signaling/server.ts'
import { openTempFolder } from '../../src/base/temp-folder.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { resolveConfiguration } from '../../src/configuration/load.ts'
import type { frameworksOfPart } from '../../src/reports/fix-pages.ts'
import { type CheckResult, runCheck, sortByTurn } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import { type Block, listIds } from './snippets.ts'
import { startBlocks } from './start-blocks.ts'

/** Starts the mint that the blocks are, and judges it by their requirements beside the reference's signaling. */
export async function judgeMint(
  framework: (typeof frameworksOfPart)['mint'][number],
  blocks: readonly Block[],
): Promise<readonly CheckResult[]> {
  await using stack = new AsyncDisposableStack()
  const { path: folder } = stack.use(await openTempFolder())
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const keyFile = join(folder, 'signing-key.pem')
  await writeFile(keyFile, pem)
  const apiKey = generateKey()
  const consoleSecret = randomBytes(24).toString('hex')
  const { port } = stack.use(
    await startBlocks(framework, blocks, {
      SIGNING_KEY: pem,
      API_KEY: apiKey,
      CONSOLE_SECRET: consoleSecret,
    }),
  )
  const url = `http://127.0.0.1:${port}`
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  const signaling = stack.use(await startSignaling({ publicKey }))
  const { consoleToken } = stack.use(
    await startHooks({
      async issueToken(order) {
        const answer = await fetch(`${url}/console/token`, {
          method: 'POST',
          headers: { authorization: `Bearer ${consoleSecret}`, 'content-type': 'application/json' },
          body: readOrder(order),
        })
        return Object(await answer.json()).token
      },
    }),
  )
  const written = {
    name: `a mint in ${framework}`,
    mint: { url, apiKey, consoleToken: consoleToken, minTtlSeconds: 1 },
    signaling: { url: signaling.url, profile: signaling.profile },
    token: { signWith: { alg: 'ES256', privateKey: keyFile } },
  }
  const configuration = await resolveConfiguration(written, { directory: folder, environment: {} })
  const session = stack.use(await openSession(configuration))
  const ids = listIds(blocks)
  const checks = (await loadCatalogue()).filter(({ id }) => ids.includes(id))
  return await Promise.all(sortByTurn(checks).map((check) => runCheck(check, session)))
}

/** A lifetime is a text where the command gets it. */
function readOrder(order: string): string {
  return JSON.stringify(JSON.parse(order), (name, value) => (name === 'ttlSeconds' ? Number(value) : value))
}
