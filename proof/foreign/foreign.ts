import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { reservePort } from '../../fixtures/reserve-port.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import type { Configuration } from '../../src/configuration/configuration.ts'
import { resolveConfiguration } from '../../src/configuration/load.ts'
import { type CheckResult, runCheck, sortByTurn } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'

/** Services that were written from the specification alone, each in another language, with faults to switch on. */
const root = join(import.meta.dirname, '../..')

const manifest = z.object({
  implementations: z.array(
    z.object({
      role: z.enum(['mint', 'backend', 'signaling']),
      language: z.string(),
      directory: z.string(),
      command: z.array(z.string()).min(1),
      listening: z.string(),
      faults: z.array(z.object({ name: z.string(), breaks: z.string(), does: z.string() })),
    }),
  ),
})

export type ForeignService = z.infer<typeof manifest>['implementations'][number]
export type ForeignRole = ForeignService['role']

export async function loadForeignServices(): Promise<ForeignService[]> {
  const text = await readFile(join(root, 'fixtures/foreign/foreign.json'), 'utf8')
  return manifest.parse(JSON.parse(text)).implementations
}

interface Started extends AsyncDisposable {
  /** Where it listens. */
  readonly url: string
}

/** Fixed values of the fixtures; the services know no others. */
const keys = {
  main: `ac_live_${'mainKey4'.repeat(5)}`,
  other: `ac_live_${'otherKey'.repeat(5)}`,
  trialEnded: `ac_live_${'trialEnd'.repeat(5)}`,
  suspended: `ac_live_${'suspendD'.repeat(5)}`,
  capped: `ac_live_${'cappedKy'.repeat(5)}`,
}
const sessions = {
  alice: { token: 'sess-4f1c9a7e2b8d6035alice', userId: 'user-7001' },
  aliceSecondDevice: { token: 'sess-0a9b8c7d6e5f4132phone', userId: 'user-7001' },
  bob: { token: 'sess-b3d5f7091a2c4e68bobby1', userId: 'user-7002' },
  expired: { token: 'sess-77aa88bb99cc00dd11ee22', userId: 'user-7001' },
}

/** Starts a service, and resolves when it says where it listens. */
async function start(
  { directory, command: [file = '', ...args], listening, role }: ForeignService,
  variables: Readonly<Record<string, string>>,
): Promise<Started> {
  const child = spawn(file, args, {
    cwd: join(root, directory),
    env: { ...env, HOST: '127.0.0.1', PORT: '0', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000)
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Error(`the foreign ${role} cannot be started: ${error.message}`)),
    )
    child.once('exit', (code) => reject(new Error(`the foreign ${role} ended with ${code}: ${said}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = new RegExp(listening).exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
  })
  return { url, [Symbol.asyncDispose]: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGKILL')
  await ended
}

/** One stack of foreign services, in which one role may have a fault, as a configuration describes it. */
interface ForeignStack extends AsyncDisposable {
  readonly configuration: Configuration
}

async function startForeign(
  services: readonly ForeignService[],
  role: ForeignRole,
  fault: string | null,
): Promise<ForeignStack> {
  await using stack = new AsyncDisposableStack()
  const service = (wanted: ForeignRole) => {
    const found = services.find((one) => one.role === wanted)
    if (found === undefined) throw new Error(`there is no foreign ${wanted}`)
    return found
  }
  const faultOf = (part: ForeignRole) => (part === role && fault !== null ? { FAULT: fault } : {})
  const folder = stack.adopt(await mkdtemp(join(tmpdir(), 'twotoken-foreign-')), (path) =>
    rm(path, { recursive: true, force: true }),
  )
  const keyFile = join(folder, 'signing-key.pem')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })

  const mint = stack.use(
    await start(service('mint'), {
      API_KEYS: JSON.stringify([
        { key: keys.main, project: 'shop', status: 'active' },
        { key: keys.other, project: 'other', status: 'active' },
        { key: keys.trialEnded, project: 'tried', status: 'trial_ended' },
        { key: keys.suspended, project: 'late', status: 'suspended' },
        { key: keys.capped, project: 'small', status: 'trial', trialCap: 0 },
      ]),
      SIGNING_KEY_FILE: keyFile,
      TTL_FLOOR: '1',
      ...faultOf('mint'),
    }),
  )
  const origin = new URL(mint.url).origin
  const jwks = `${origin}/api/v1/calling/keys`
  const described = {
    name: `foreign ${role}`,
    mint: {
      url: origin,
      apiKey: keys.main,
      otherProjectKey: keys.other,
      keys: {
        trialEnded: { key: keys.trialEnded, attested: true },
        suspended: { key: keys.suspended, attested: true },
        capped: { key: keys.capped, attested: true },
      },
      minTtlSeconds: 1,
    },
    token: { jwks, signWith: { alg: 'RS256', privateKey: keyFile } },
    limits: { leewayWarnSeconds: 5, leewayFailSeconds: 10 },
  }
  const parts = {
    mint: async () => ({}),
    backend: async () => ({ backend: await describeBackend(service('backend'), stack, faultOf('backend')) }),
    signaling: async () => ({
      signaling: await describeSignaling(service('signaling'), stack, {
        JWKS_URL: jwks,
        ...faultOf('signaling'),
      }),
    }),
  }
  const written = { ...described, ...(await parts[role]()) }
  const configuration = await resolveConfiguration(written, { directory: folder, environment: {} })
  const opened = stack.move()
  return { configuration, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function describeBackend(
  service: ForeignService,
  stack: AsyncDisposableStack,
  fault: Readonly<Record<string, string>>,
) {
  const { port } = stack.use(await reservePort())
  const hour = Math.floor(Date.now() / 1000) + 3600
  const known = Object.entries(sessions).map(([name, { token, userId }]) => [
    token,
    { userId, email: `${userId}@Shop.example`, expiresAt: name === 'expired' ? hour - 7200 : hour },
  ])
  const backend = stack.use(
    await start(service, {
      MINT_URL: `http://127.0.0.1:${port}`,
      CALLING_API_KEY: keys.main,
      SESSIONS: JSON.stringify(Object.fromEntries(known)),
      ...fault,
    }),
  )
  const { alice, aliceSecondDevice, bob, expired } = sessions
  return {
    url: backend.url,
    sessions: {
      alice,
      aliceSecondDevice,
      bob,
      expired: { token: expired.token },
      signedOut: { token: 'sess-5c4d3e2f1a0b9988gone00' },
    },
    fakeMint: { listen: `127.0.0.1:${port}`, apiKey: keys.main },
  }
}

async function describeSignaling(
  service: ForeignService,
  stack: AsyncDisposableStack,
  variables: Readonly<Record<string, string>>,
) {
  const signaling = stack.use(await start(service, variables))
  return {
    url: signaling.url,
    profile: {
      carriage: {
        in: 'message',
        template: '{"op":"hello","token":"{jwt}","user":"{userId}"}',
        after: 'open',
      },
      subprotocols: ['calling.v1'],
      declaredUser: { in: 'carriage' },
      success: [{ frame: { path: '$.op', equals: 'ready' } }],
      failure: [{ frame: { path: '$.op', equals: 'denied' } }, { close: [4401] }],
      unauthorized: [{ frame: { path: '$.status', equals: 401 } }, { close: [4401] }],
      timeoutMs: 8000,
    },
  }
}

/** The verdicts of a role's requirements, or of some of them, on a service of that role. */
export async function judgeForeign(
  services: readonly ForeignService[],
  role: ForeignRole,
  {
    fault = null,
    ids,
  }: { readonly fault?: string | null; readonly ids?: readonly string[] | undefined } = {},
): Promise<CheckResult[]> {
  // Requirements on the tokens alone are asked of the mint.
  const ofTokens = (needs: readonly string[]) =>
    needs.length > 0 && needs.every((need) => need === 'callingTokens')
  const checks = (await loadCatalogue()).filter(
    (check) =>
      (check.role === role || (role === 'mint' && ofTokens(check.needs))) &&
      (ids?.includes(check.id) ?? true),
  )
  await using stack = await startForeign(services, role, fault)
  await using session = await openSession(stack.configuration)
  return await Promise.all(sortByTurn(checks).map((check) => runCheck(check, session)))
}
