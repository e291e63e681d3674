import type { Reply } from '../../../src/base/http/client.ts'
import { ControlLost, Untested } from '../../../src/base/inconclusive.ts'
import type { Hook } from '../../../src/requirement/hook.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'

type Parts = CheckContext<'mint' | 'revokeKeyHook'>

/** The revocation of a key, and what the mint makes of it. */
export interface Revocation {
  /** The key has minted, and the hook has revoked it: monotonic milliseconds. */
  readonly revokedAt: Promise<number>
  readonly outcome: Promise<RevocationOutcome>
}

export interface RevocationOutcome {
  readonly revokedAt: number
  /** The control, before the revocation. */
  readonly before: Reply
  readonly last: Reply
  /** The last response with a token; null where none was issued after the revocation. */
  readonly minted: Reply | null
  readonly isRejected: boolean
}

/** Seconds after the revocation at which the key is tried, up to `limits.leewayFailSeconds`. */
const ladder = [0, 0.5, 1, 2, 5, 10, 20, 35, 60, 90, 120, 180, 240, 300, 450, 600, 900]

/** A key is revoked once: all requirements of a run judge the same revocation. */
const revocations = new WeakMap<Hook, Revocation>()

/**
 * Revokes the key of the hook, unless that was done before.
 * @throws Untested where it is the key with which everything else is judged
 */
export function revokeKey(parts: Parts): Revocation {
  const { mint, revokeKeyHook } = parts
  if (revokeKeyHook.key === mint.apiKey)
    throw new Untested(
      'hooks.revokeKey would revoke mint.apiKey, with which everything else is judged: give hooks.revokeKey.key',
    )
  const known = revocations.get(revokeKeyHook)
  if (known !== undefined) return known
  const begun = begin(parts)
  const revocation = {
    revokedAt: begun.then(({ revokedAt }) => revokedAt),
    outcome: begun.then((start) => watch(parts, start)),
  }
  // A check may wait for one of the two only: the other may fail unheard.
  for (const promise of Object.values(revocation)) promise.catch(() => undefined)
  revocations.set(revokeKeyHook, revocation)
  return revocation
}

function ask({ mint, newUser, revokeKeyHook: { key } }: Parts): Promise<Reply> {
  return mint.request({ key, userId: newUser(), followRedirects: true })
}

async function begin(parts: Parts) {
  const before = await ask(parts)
  if (parts.mint.issuedBy(before) === null)
    throw new ControlLost('the key that is to be revoked does not mint', [before.exchange])
  await parts.revokeKeyHook.run()
  return { before, revokedAt: parts.clock.monotonic() }
}

async function watch(
  parts: Parts,
  { before, revokedAt }: Awaited<ReturnType<typeof begin>>,
): Promise<RevocationOutcome> {
  const { leewayFailSeconds } = parts.configuration.limits
  let last = before
  let minted: Reply | null = null
  for (const after of [...ladder.filter((seconds) => seconds < leewayFailSeconds), leewayFailSeconds]) {
    await parts.clock.until(revokedAt + after * 1000)
    last = await ask(parts)
    if (parts.mint.issuedBy(last) !== null) minted = last
    else if (last.kind === 'answer' && isDecision(last.status))
      return { revokedAt, before, last, minted, isRejected: true }
  }
  return { revokedAt, before, last, minted, isRejected: false }
}

/** A status by which the mint itself has decided about the key. */
function isDecision(status: number): boolean {
  return status >= 300 && status < 500 && status !== 429
}
