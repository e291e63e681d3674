import { type Headers, headerOf } from './headers.ts'
import type { HttpRequest } from './request.ts'

/** The request that a redirect within the origin asks for; `null` where there is none, or it leads elsewhere. */
export function redirectOf(
  sent: HttpRequest,
  answer: { readonly status: number; readonly headers: Headers },
): HttpRequest | null {
  if (![301, 302, 303, 307, 308].includes(answer.status)) return null
  const location = headerOf(answer.headers, 'location')
  if (location === undefined || !URL.canParse(location, sent.url)) return null
  const url = new URL(location, sent.url)
  if (url.origin !== new URL(sent.url).origin) return null
  if (answer.status === 307 || answer.status === 308) return { ...sent, url: url.href }
  const { body: _, ...withoutBody } = sent
  return { ...withoutBody, method: 'GET', url: url.href }
}
