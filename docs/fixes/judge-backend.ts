import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { reservePort } from '../../fixtures/reserve-port.ts'
import { openTempFolder } from '../../src/base/temp-folder.ts'
import { createServerCertificate } from '../../src/base/tls/certificates.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { resolveConfiguration } from '../../src/configuration/load.ts'
import { type CheckResult, runCheck, sortByTurn } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import { type Block, listIds } from './snippets.ts'
import { type RunFramework, type StartedProgram, startBlocks } from './start-blocks.ts'
import { startTlsProxy } from './tls-proxy.ts'

/** The requirement that asks sixty times a minute, which it does on request only. */
export const notAllowed = 'BACK-28'

const oddIds = [
  `o'hara "jane"`,
  'u","ttlSeconds":86400,"x":"',
  'a#b%2Fc?d=e&f',
  'u\r\nx: y',
  '\u{1F600} \u00e9',
]
const apiKey = 'ac_live_made_up_for_the_examples'
const appOrigin = 'https://app.acme.example'
const arrivedSecurely = { 'x-forwarded-proto': 'https' }

export interface Judged {
  readonly results: readonly CheckResult[]
  /** The origin that the backend allows in its answer to a preflight of its app. */
  readonly allowedOrigin: string | null
}

/**
 * Starts the backend that the blocks are, behind a proxy with TLS and in front of the mint double with TLS, and judges it
 * by these requirements of the suite; by those of the blocks' pages where absent.
 */
export async function judgeBackend(
  framework: RunFramework,
  blocks: readonly Block[],
  ids: readonly string[] = listIds(blocks),
): Promise<Judged> {
  await using stack = new AsyncDisposableStack()
  const { path: folder } = stack.use(await openTempFolder())
  const double = stack.use(await reservePort())
  const { ca, ...doubleCertificate } = createServerCertificate({ names: ['127.0.0.1'] })
  const caFile = join(folder, 'double-ca.pem')
  await writeFile(caFile, ca)
  const sessionSecret = randomBytes(32).toString('hex')
  const backend = stack.use(
    await startBlocks(framework, blocks, {
      CALLING_API_URL: `https://127.0.0.1:${double.port}`,
      CALLING_API_KEY: apiKey,
      SESSION_SECRET: sessionSecret,
      APP_ORIGIN: appOrigin,
      // The trust store of Node, and of everything that uses OpenSSL.
      NODE_EXTRA_CA_CERTS: caFile,
      SSL_CERT_FILE: caFile,
      NODE_ENV: 'production',
      RAILS_ENV: 'production',
      SECRET_KEY_BASE: sessionSecret,
      PYTHONDONTWRITEBYTECODE: '1',
    }),
  )
  const proxy = stack.use(await startTlsProxy(backend.port))
  const proxyCaFile = join(folder, 'proxy-ca.pem')
  await writeFile(proxyCaFile, proxy.ca)
  const sessions = await createSessions(sessionSecret)
  await signOut(backend, sessions.signedOut.token)
  const written = {
    name: `fixes in ${framework}`,
    backend: {
      url: `https://127.0.0.1:${proxy.port}/calling/token`,
      sessions,
      fakeMint: { listen: `127.0.0.1:${double.port}`, tls: true, apiKey },
    },
    hooks: { signOut: { command: signOutCommand(backend) } },
    logs: [backend.logFile],
    tls: { ca: proxyCaFile },
  }
  const configuration = await resolveConfiguration(written, { directory: folder, environment: {} })
  const session = stack.use(await openSession(configuration, { doubleCertificate }))
  const checks = (await loadCatalogue()).filter(({ id }) => ids.includes(id))
  const results = await Promise.all(sortByTurn(checks).map((check) => runCheck(check, session)))
  return { results, allowedOrigin: await askOwnOrigin(backend) }
}

/** Sessions as the pages verify them, of users and devices, and what the same login signs for other uses. */
async function createSessions(secret: string) {
  const key = new TextEncoder().encode(secret)
  const sign = async (
    userId: string,
    sid: string,
    { expiry = '1h', typ = 'at+jwt', audience = 'acme-api' }: Partial<Record<string, string>> = {},
  ) => ({
    token: await new SignJWT({ sid })
      .setProtectedHeader({ alg: 'HS256', typ })
      .setSubject(userId)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(expiry)
      .sign(key),
    userId,
  })
  const tokenOf = async (...described: Parameters<typeof sign>) => ({
    token: (await sign(...described)).token,
  })
  return {
    alice: await sign('u-alice', 'alice-laptop'),
    aliceSecondDevice: await sign('u-alice', 'alice-phone'),
    bob: await sign('u-bob', 'bob-laptop'),
    odd: await Promise.all(oddIds.map((userId, place) => sign(userId, `other-${place}`))),
    expired: await tokenOf('u-alice', 'alice-before', { expiry: '-1h' }),
    signedOut: await tokenOf('u-alice', 'alice-lost-phone'),
    otherApp: await tokenOf('u-alice', 'alice-laptop', { audience: 'another-api' }),
    idToken: await tokenOf('u-alice', 'alice-laptop', { typ: 'JWT', audience: 'acme-app' }),
    refreshToken: await tokenOf('u-alice', 'alice-laptop', { typ: 'rt+jwt' }),
  }
}

async function signOut({ port }: StartedProgram, session: string): Promise<void> {
  const { ok, status } = await fetch(`http://127.0.0.1:${port}/logout`, {
    method: 'POST',
    headers: { ...arrivedSecurely, authorization: `Bearer ${session}` },
  })
  if (!ok) throw new Error(`POST /logout returned ${status}`)
}

/** The same, as an operator's command. */
function signOutCommand({ port }: StartedProgram): string {
  const script = `fetch('http://127.0.0.1:${port}/logout',{method:'POST',headers:{'x-forwarded-proto':'https',authorization:'Bearer '+process.env.TWOTOKEN_SESSION}}).then(r=>process.exit(r.ok?0:1))`
  return `"${process.execPath}" -e "${script}"`
}

async function askOwnOrigin({ port }: StartedProgram): Promise<string | null> {
  const { headers } = await fetch(`http://127.0.0.1:${port}/calling/token`, {
    method: 'OPTIONS',
    headers: {
      ...arrivedSecurely,
      origin: appOrigin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
  })
  return headers.get('access-control-allow-origin')
}
