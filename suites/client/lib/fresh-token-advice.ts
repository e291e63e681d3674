import type { ClientApp } from '../../../src/roles/client/types.ts'

/**
 * What to change in a client that uses a token once more: one whose page answers the token route from a cache does call
 * getAuthToken. A page that can no longer be read gets the usual advice.
 */
export async function adviseFreshToken(
  app: Pick<ClientApp, 'capture' | 'issued'>,
  usual: string,
): Promise<string> {
  const texts = await app.capture().catch(() => [])
  const isCached = texts.some(
    ({ place, text }) => place === 'cache' && app.issued().some(({ jwt }) => text.includes(jwt)),
  )
  return isCached
    ? 'Leave the token route out of the cache that the page or its service worker keeps: each call of getAuthToken has to reach the backend.'
    : usual
}
