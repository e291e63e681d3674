import type { Attempt, OpenSocket } from '../roles/signaling/attempt.ts'
import type { Held, Storm } from './storm.ts'
import { increase, noteBreach, noteTime } from './tally.ts'

/** Null where the user is not let in, or has a socket already. */
export async function join(storm: Storm, { jwt, userId }: Held): Promise<OpenSocket | null> {
  const { tally, target, joined } = storm
  if (target.connector === null || joined.has(userId)) return null
  joined.add(userId)
  const made = await target.connector.attempt({ token: jwt, declaredUser: userId })
  if (made.outcome === 'untestable') {
    joined.delete(userId)
    return null
  }
  noteTime(tally, 'join', made.decidedAt - made.startedAt)
  if (made.outcome === 'refused') {
    joined.delete(userId)
    noteRefusal(storm, made)
    return null
  }
  increase(tally.counts, 'joins')
  if (made.identity !== undefined && made.identity !== userId)
    noteBreach(tally, 'LOAD-01', {
      case: 'signaling',
      saw: 'a join as another user than the one of the token',
      expected: "the token's user (2.1.3)",
      fix: 'Take the user of a connection from its own token.',
    })
  const close = async () => {
    joined.delete(userId)
    await made.socket[Symbol.asyncDispose]()
  }
  return { ...made.socket, [Symbol.asyncDispose]: close }
}

function noteRefusal({ tally }: Storm, made: Extract<Attempt, { outcome: 'refused' }>): void {
  const { type = 'end', code } = made.events.at(-1) ?? {}
  increase(tally.errors, `join ${type}${code === undefined ? '' : ` ${code}`}`)
  if (!made.unauthorized) return
  noteBreach(
    tally,
    'LOAD-05',
    {
      case: 'join 401',
      saw: '401 from signaling for a fresh token',
      expected: '503, or close 1013, where the load is too much (7.3)',
      fix: 'Tell overload from a token that is not valid: after 401 every client mints again.',
    },
    'TYPICAL',
  )
}
