import { ControlLost } from '../../../src/base/inconclusive.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import { assertTokenPlace } from '../../../src/roles/mint/driver.ts'

/** A token of the second project; throws `ControlLost` where the mint issues none for it. */
export async function fetchOfOtherProject(
  { mint, otherProjectKey }: CheckContext<'mint' | 'otherProjectKey'>,
  userId: string,
): Promise<string> {
  const reply = await mint.request({ key: otherProjectKey, userId, followRedirects: true })
  const located = reply.kind === 'answer' ? mint.locate(reply) : null
  if (located?.kind === 'found') return located.token
  if (located?.kind === 'missing' && !mint.hasServed()) assertTokenPlace(reply)
  // A mint that issues none for mint.apiKey, either, says nothing about the other key.
  await mint.token(userId)
  throw new ControlLost('the mint issued no token for mint.otherProjectKey: correct it, or remove it', [
    reply.exchange,
  ])
}
