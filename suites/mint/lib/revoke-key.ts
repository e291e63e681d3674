import type { Reply } from '../../../src/base/http/client.ts'
import { ControlLost, Untested } from '../../../src/base/inconclusive.ts'
import type { CheckContext, Hook } from '../../../src/requirement/needs.ts'

type Parts = CheckContext<'mint'>
type KeyHook = Hook & { readonly key: string }

/** The end of a key, revoked or in a suspended project, and what the mint makes of it. */
interface Revocation {
  /** The key has minted, and the hook has revoked it: monotonic milliseconds. */
  readonly revokedAt: Promise<number>
  readonly outcome: ReturnType<typeof watch>
}

/** Seconds after the revocation at which the key is tried, up to `limits.leewayFailSeconds`. */
const ladder = [0, 0.5, 1, 2, 5, 10, 20, 35, 60, 90, 120, 180, 240, 300, 450, 600, 900]

/** A hook runs once: all requirements of a run judge the same end. */
const revocations = new WeakMap<Hook, Revocation>()

/** Ends the key of the hook, once. Throws `Untested` where everything else is judged with that key. */
export function endKey(parts: Parts, name: 'revokeKey' | 'suspendProject', hook: KeyHook): Revocation {
  if (hook.key === parts.mint.apiKey)
    throw new Untested(
      `hooks.${name} would end mint.apiKey, with which everything else is judged: give another key at hooks.${name}.key`,
    )
  const known = revocations.get(hook)
  if (known !== undefined) return known
  const begun = begin(parts, name, hook)
  const revocation = {
    revokedAt: begun.then(({ revokedAt }) => revokedAt),
    outcome: begun.then((start) => watch(parts, hook, start)),
  }
  // A check may wait for one of the two only: the other may fail unheard.
  for (const promise of Object.values(revocation)) promise.catch(() => undefined)
  revocations.set(hook, revocation)
  return revocation
}

/**
 * The limit lies between the last token and the first rejection, and the requests that were due in between were late or lost.
 * @param late seconds from the end of the key to its last token; 0 where there was none
 * @param rejected seconds to the first rejection
 */
export function isHidden(limitSeconds: number, late: number, rejected: number): boolean {
  const next = ladder.find((seconds) => seconds > late) ?? limitSeconds
  return late <= limitSeconds && rejected > Math.max(limitSeconds, next) + 1
}

async function begin({ mint, newUser, clock }: Parts, name: string, hook: KeyHook) {
  const before = await mint.request({ key: hook.key, userId: newUser(), followRedirects: true })
  if (mint.issuedBy(before) === null)
    throw new ControlLost(`the key of hooks.${name} does not mint`, [before.exchange])
  await hook.run()
  return { before, revokedAt: clock.monotonic() }
}

/** Tries the key until it is rejected. `minted` is the last response with a token; null where none was issued after its end. */
async function watch(
  { mint, newUser, clock, configuration }: Parts,
  { key }: KeyHook,
  { before, revokedAt }: Awaited<ReturnType<typeof begin>>,
) {
  const { leewayFailSeconds } = configuration.limits
  let last = before
  let minted: Reply | null = null
  for (const after of [...ladder.filter((seconds) => seconds < leewayFailSeconds), leewayFailSeconds]) {
    await clock.until(revokedAt + after * 1000)
    last = await mint.request({ key, userId: newUser(), followRedirects: true })
    if (mint.issuedBy(last) !== null) minted = last
    // The mint itself has decided about the key: some say 200 with an error in the body.
    else if (last.kind === 'answer' && last.status < 500 && last.status !== 429)
      return { revokedAt, before, last, minted, isRejected: true }
  }
  return { revokedAt, before, last, minted, isRejected: false }
}
