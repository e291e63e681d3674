import type { BrokenVariants } from '../../src/requirement/define.ts'
import { atTheEnd } from './lib/variant-endings.ts'

export const broken: BrokenVariants = {
  'rejects all older tokens after a revocation': atTheEnd('key', { rejects: ({ isOlder }) => isOlder }),
  'rejects all older tokens after a sign-out': atTheEnd('session', { rejects: ({ isOlder }) => isOlder }),
  'rejects older tokens of others alone after a revocation': atTheEnd('key', {
    rejects: ({ isOlder, isEnded }) => isOlder && !isEnded,
  }),
  'rejects older tokens of others alone after a sign-out': atTheEnd('session', {
    rejects: ({ isOlder, isEnded }) => isOlder && !isEnded,
  }),
  'closes sockets of a revoked key, and takes its tokens': atTheEnd('key', {
    closes: ({ isEnded }) => isEnded,
  }),
  'rejects all older tokens after a suspension': atTheEnd('project', {
    rejects: ({ isOlder }) => isOlder,
  }),
  'closes sockets of a suspended project, and takes its tokens': atTheEnd('project', {
    closes: ({ isEnded }) => isEnded,
  }),
  'closes sockets of a signed-out user, and takes their tokens': atTheEnd('session', {
    closes: ({ isEnded }) => isEnded,
  }),
  'closes sockets of a revoked key as if by error': atTheEnd('key', {
    closes: ({ isEnded }) => isEnded,
    code: 1011,
  }),
  'closes sockets of a signed-out user as if nothing were wrong': atTheEnd('session', {
    closes: ({ isEnded }) => isEnded,
    code: 1000,
  }),
  'rejects everyone after a revocation': {
    ...atTheEnd('key', { rejects: () => true }),
    configuration: { limits: { patienceSeconds: 1 } },
    as: 'error',
  },
}
