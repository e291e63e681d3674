import type { Reply } from '../../../src/base/http/client.ts'
import type { Met } from '../../../src/requirement/attack.ts'
import type { Backend, BackendRequest } from '../../../src/roles/backend/driver.ts'
import { isOverload, isSuccess } from './describe-reply.ts'

export interface Offered extends Met {
  /** The rejection: before a redirect to a page, or after one to another address of the route. */
  readonly reply: Reply
  readonly hasToken: boolean
}

/** A redirect to a login page is a rejection, whatever the status of that page; one to the route itself is not. */
export async function offerRequest(backend: Backend, request: BackendRequest): Promise<Offered> {
  const first = await backend.request(request)
  const isRedirect = first.kind === 'answer' && first.status >= 300 && first.status <= 399
  const end = isRedirect ? await backend.request({ ...request, followRedirects: true }) : first
  const hasToken = [first, end].some((reply) => backend.issuedBy(reply) !== null)
  const reply = isSuccess(end) ? first : end
  return { reply, hasToken, isUndecided: !hasToken && isOverload(reply), evidence: [reply.exchange] }
}
