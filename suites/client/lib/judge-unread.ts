import type { Judge } from '../../../src/requirement/judge.ts'
import type { UnreadHost } from '../../../src/roles/client/types.ts'

/** Where something could not be read, what was found still counts, and that nothing was found does not. */
export function judgeUnread(unread: readonly UnreadHost[], judge: Judge): void {
  for (const { host, reason } of unread)
    judge.untested(
      `requests to ${host} could not be read: ${reason}; use a build that accepts the authority of the suite, or add the host to client.observe.forwardUnread if it is not the app's`,
    )
}
