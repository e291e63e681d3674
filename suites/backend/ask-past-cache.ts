import type { Reply } from '../../src/base/http/client.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import type { PartsOf } from '../../src/requirement/needs.ts'
import type { BackendRequest } from '../../src/roles/backend/driver.ts'
import type { DoubleCall, ScriptedMint } from '../../src/roles/mint/double.ts'

/** Milliseconds that a turn may be prolonged to let a kept token expire. */
const longestWait = 5_000
/** The issuer's clock may differ a little from this machine's. */
const marginMs = 300

/** Why a part is untested when `askPastCache` saw no call. */
export const answeredFromCache = 'the backend answered from a cache, so the mint double was not asked'

export interface Asked {
  readonly reply: Reply
  /** The calls that reached the double meanwhile; empty where the backend answered without asking the mint. */
  readonly calls: readonly DoubleCall[]
}

/** One request of the app; where a token that the backend may keep until it expires answers it, another one after that. */
export async function askPastCache(
  { backend, clock }: Pick<PartsOf<'backend'>, 'backend' | 'clock'>,
  double: ScriptedMint,
  change: BackendRequest = {},
): Promise<Asked> {
  const ask = async (): Promise<Asked> => {
    const before = double.calls().length
    const reply = await backend.request({ followRedirects: true, ...change })
    return { reply, calls: double.calls().slice(before) }
  }
  const first = await ask()
  const token = backend.tokenOf(first.reply)
  if (first.calls.length > 0 || token === null) return first
  const exp = readToken(token)?.claims?.['exp']
  const leftMs = typeof exp === 'number' ? exp * 1000 - clock.wall() : Number.POSITIVE_INFINITY
  if (leftMs < 0 || leftMs > longestWait) return first
  await clock.until(clock.monotonic() + leftMs + marginMs)
  return await ask()
}
