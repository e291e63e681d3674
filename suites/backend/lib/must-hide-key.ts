import type { Reply } from '../../../src/base/http/client.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import { findInReply } from '../../../src/roles/backend/find-in-reply.ts'

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
    fix: "Answer 502 with the backend's own error: the error of an HTTP client holds its request, with the headers.",
    evidence: [reply.exchange],
    isShown: true,
  })
}
