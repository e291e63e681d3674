import { join } from 'node:path'
import type { ForeignServer, Mistake } from '../../fixtures/servers/server.ts'
import { loadConfiguration } from '../../src/configuration/load.ts'
import { type Detection, detect } from '../../src/detect/detect.ts'
import type { AnyCheck } from '../../src/requirement/define.ts'
import { type CheckResult, runCheck, sortByTurn } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import type { SignalingProfile } from '../../src/roles/signaling/profile.ts'

/** Requirements that a wrong profile or adapter would fail first. */
export const essential = ['SIG-02', 'SIG-03', 'SIG-08', 'SIG-20', 'SIG-21']

/** The requirement that catches each mistake. */
export const caughtBy: Readonly<Record<Mistake, string>> = {
  'verifies no signature': 'SIG-21',
  'takes tokens without a signature': 'SIG-20',
  'takes tokens that have expired': 'SIG-06',
  'lets clients in that have no token': 'SIG-03',
}

const root = join(import.meta.dirname, '../..')

/** Judges a server by the configuration that is shipped for it; with the key of its mint, nothing waits for an expiry. */
export async function judgeByExample(
  example: string,
  server: ForeignServer,
  checks: readonly AnyCheck[],
  { withKey = false, profile }: { readonly withKey?: boolean; readonly profile?: SignalingProfile } = {},
): Promise<CheckResult[]> {
  const { limits, token, signaling, ...configuration } = await configure(example, server)
  const { signWith } = server.mint
  // An adapter says "refused" of what a busy machine has not answered by then.
  await using session = await openSession({
    ...configuration,
    signaling: signaling && profile ? { ...signaling, access: { profile } } : signaling,
    token: withKey && 'secret' in signWith ? { ...token, signWith } : token,
    limits: { ...limits, requestSeconds: 30 },
  })
  return await Promise.all(sortByTurn(checks).map((check) => runCheck(check, session)))
}

/** Detects a server of which only the address of its signaling is known. */
export async function detectServer(example: string, server: ForeignServer): Promise<Detection> {
  const { signaling, ...others } = await configure(example, server)
  if (signaling === undefined) throw new Error(`${example} has no signaling`)
  const { access: _, ...unknown } = signaling
  return await detect({ ...others, signaling: unknown })
}

function configure(example: string, { mint, signalingUrl }: ForeignServer) {
  return loadConfiguration(join(root, example, 'twotoken.yaml'), {
    MINT_URL: mint.url,
    CALLING_API_KEY: mint.keys.active,
    SIGNALING_URL: signalingUrl,
  })
}
