import type { Answer } from '../../base/http/client.ts'
import { headerOf } from '../../base/http/headers.ts'
import { onOneLine } from '../../base/printable.ts'
import { isWebPage } from './probe.ts'

interface RefusedPart {
  readonly urlKey: 'mint.url' | 'backend.url'
  /** Where a session of the refused call stands; absent for the mint. */
  readonly sessionKey?: string
}

interface Sign {
  /** Completes "… returned 403": " with a page of a firewall". */
  readonly what: string
  matches(answer: Answer): boolean
  advice(part: RefusedPart): string
}

const statusIs = (answer: Answer, ...statuses: readonly number[]) => statuses.includes(answer.status)

/** Gateways before a service name themselves in `Via`, too, but not as these do. */
const forwardProxy = /squid|privoxy|tinyproxy|zscaler|bluecoat|mitmproxy/i

/** The beginning of a page is searched: a page names itself there. */
const searchedCharacters = 16_384

/** From the most to the least telling. */
const signs: readonly Sign[] = [
  {
    what: ' from a proxy in between',
    matches: (answer) =>
      answer.status === 407 ||
      headerOf(answer.headers, 'x-squid-error') !== undefined ||
      (statusIs(answer, 502, 503, 504) && forwardProxy.test(headerOf(answer.headers, 'via') ?? '')) ||
      /ERR_ACCESS_DENIED|ERR_CONNECT_FAIL|Zscaler|captive portal|<title>[^<]*proxy/i.test(answer.body),
    advice: () => 'add its host to proxy.bypass (or NO_PROXY), or have the proxy let it through',
  },
  {
    what: ', because it rejects this host name',
    matches: (answer) =>
      answer.status === 421 ||
      /DisallowedHost|Invalid HTTP_HOST header|Blocked hosts?:|This host \([^()]*\) is not allowed|Invalid Host header/i.test(
        answer.body,
      ),
    advice: ({ urlKey }) => `write a host that it serves in ${urlKey}, or allow this one in its settings`,
  },
  {
    what: ', because the call has no CSRF token',
    matches: (answer) =>
      answer.status === 419 ||
      (statusIs(answer, 400, 403, 422) && /csrf|InvalidAuthenticityToken|page expired/i.test(answer.body)),
    advice: () =>
      'exempt the token route, which takes no cookies, from the CSRF check, or add the CSRF header and cookie to backend.request',
  },
  {
    what: ' with the page of a firewall',
    matches: (answer) =>
      statusIs(answer, 403, 405, 406, 429, 503) &&
      (headerOf(answer.headers, 'cf-mitigated') !== undefined ||
        /Attention Required! \| Cloudflare|<title>Just a moment|Sorry, you have been blocked|Incapsula incident|_Incapsula_|Request unsuccessful|The requested URL was rejected|Mod_?Security|Sucuri|Access Denied[\s\S]{0,400}Reference|Request blocked|AkamaiGHost|<title>[^<]*(?:WAF|web application firewall)/i.test(
          answer.body,
        )),
    advice: ({ urlKey }) => `allow this machine in the firewall, or use an address behind it in ${urlKey}`,
  },
  {
    what: ' with a login page',
    matches: (answer) =>
      isWebPage(answer) &&
      /<input[^<>]+type=["']?password|<title>[^<]*(?:log ?in|sign ?in)/i.test(answer.body),
    advice: ({ sessionKey, urlKey }) =>
      sessionKey === undefined
        ? `correct ${urlKey}: an API has no login page`
        : `it did not take the session as a bearer token: sign in again and replace ${sessionKey}, or correct ${urlKey}`,
  },
  {
    what: ', because it rejects the content type of the call',
    matches: (answer) =>
      answer.status === 415 ||
      (statusIs(answer, 400, 406, 422) &&
        /content[- ]type|media type|valid json|json body/i.test(answer.body)),
    advice: () => 'write body: { json: {} } in backend.request to send a JSON object',
  },
  {
    what: ', as a WebSocket service does',
    matches: (answer) => answer.status === 426 || /upgrade required/i.test(answer.body.slice(0, 200)),
    advice: ({ urlKey }) => `correct ${urlKey}, which seems to be the address of signaling`,
  },
]

/** Who refused a request instead of the part that was asked, or what the part misses, as its answer says. */
export function explainRefusal(answer: Answer, part: RefusedPart) {
  const begun = { ...answer, body: answer.body.slice(0, searchedCharacters) }
  const sign = signs.find(({ matches }) => matches(begun))
  return sign === undefined ? null : { what: sign.what, advice: sign.advice(part) }
}

const quotedCharacters = 80

/** The title of a page, or the beginning of a text, for the sentence about an answer; empty where it has none. */
export function quote({ body, json }: Answer): string {
  const begun = body.slice(0, searchedCharacters)
  const title = /<title[^<>]*>([^<]{1,200})/i.exec(begun)?.[1] ?? /<h1[^<>]*>([^<]{1,200})/i.exec(begun)?.[1]
  const text = title ?? (json === undefined && !/^\s*</.test(body) ? begun : '')
  const line = onOneLine(text).replace(/\s+/g, ' ').trim().slice(0, quotedCharacters)
  return line === '' ? '' : ` ("${line}")`
}
