import type { BrokenVariants } from '../../src/requirement/define.ts'
import { type AtTheEnd, atTheEnd } from './lib/variant-endings.ts'

const older: AtTheEnd = { rejects: ({ isOlder }) => isOlder }
const olderOfOthers: AtTheEnd = { rejects: ({ isOlder, isEnded }) => isOlder && !isEnded }
const own: AtTheEnd = { closes: ({ isEnded }) => isEnded }

export const broken: BrokenVariants = {
  'rejects all older tokens after a revocation': atTheEnd('key', older),
  'rejects all older tokens after a sign-out': atTheEnd('session', older),
  'rejects all older tokens after a suspension': atTheEnd('project', older),
  'rejects older tokens of others alone after a revocation': atTheEnd('key', olderOfOthers),
  'rejects older tokens of others alone after a sign-out': atTheEnd('session', olderOfOthers),
  'closes sockets of a revoked key, and takes its tokens': atTheEnd('key', own),
  'closes sockets of a suspended project, and takes its tokens': atTheEnd('project', own),
  'closes sockets of a signed-out user, and takes their tokens': atTheEnd('session', own),
  'closes sockets of a revoked key as if by error': atTheEnd('key', { ...own, code: 1011 }),
  'closes sockets of a signed-out user as if nothing were wrong': atTheEnd('session', {
    ...own,
    code: 1000,
  }),
  'rejects everyone after a revocation': {
    ...atTheEnd('key', { rejects: () => true }),
    configuration: { limits: { patienceSeconds: 1 } },
    as: 'error',
  },
}
