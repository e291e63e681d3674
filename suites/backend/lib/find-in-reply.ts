import { findSecret } from '../../../src/base/evidence/find-secret.ts'
import type { Reply } from '../../../src/base/http/client.ts'
import type { Judge } from '../../../src/requirement/judge.ts'

/** Lists where a response to the app holds a text, in any encoding; each completes "the API key …". */
export function findInReply(reply: Reply, secret: string): string[] {
  return textsOf(reply).flatMap(([place, text]) => {
    const encoding = findSecret(text, secret)
    return encoding === null ? [] : [`${encoding === 'plain' ? '' : `${encoding} `}in the ${place}`]
  })
}

/** Lists every text of a response with the name of its place. */
export function textsOf(reply: Reply): (readonly [place: string, text: string])[] {
  if (reply.kind === 'no-answer') return []
  return [
    ['status text', reply.statusText],
    ...reply.headers.map(([name, value]) => [`header ${name}`, `${name}: ${value}`] as const),
    ...reply.trailers.map(([name, value]) => [`trailer ${name}`, `${name}: ${value}`] as const),
    ['body', reply.body],
  ]
}

/** Judges that a response to the app does not show the key; `when` ends the sentence. */
export function mustHideKey(
  judge: Judge,
  reply: Reply,
  { apiKey, when, clause }: { readonly apiKey: string; readonly when: string; readonly clause: string },
): void {
  const found = findInReply(reply, apiKey)
  judge.must(found.length === 0, {
    case: `the key in the response ${when}`,
    saw: `the API key ${found.join(' and ')} of a response to the app ${when}`,
    expected: `no key in a response (${clause})`,
    fix: 'Answer 502 with an error of your own: the error of an HTTP client holds its request, with the headers.',
    evidence: [reply.exchange],
    isShown: true,
  })
}
