import { ControlLost } from '../../../src/base/inconclusive.ts'
import { assertTokenPlace, type Mint } from '../../../src/roles/mint/driver.ts'

/** A token for the key of this setting; throws `ControlLost` where the mint issues none for it. */
export async function fetchWithKey(
  mint: Mint,
  setting: string,
  key: string,
  userId: string,
): Promise<{ readonly jwt: string; readonly userId: string }> {
  const reply = await mint.request({ key, userId, followRedirects: true })
  const located = reply.kind === 'answer' ? mint.locate(reply) : null
  if (located?.kind === 'found') return { jwt: located.token, userId }
  if (located?.kind === 'missing' && !mint.hasServed()) assertTokenPlace(reply)
  // A mint that issues none for mint.apiKey, either, says nothing about the other key.
  await mint.token(userId)
  throw new ControlLost(`the mint issued no token for ${setting}: correct it, or remove it`, [reply.exchange])
}
