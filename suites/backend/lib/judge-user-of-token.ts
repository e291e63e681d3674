import type { Judge } from '../../../src/requirement/judge.ts'
import type { Backend } from '../../../src/roles/backend/driver.ts'
import type { ScriptedMint } from '../../../src/roles/mint/double.ts'
import type { Asked } from './ask-past-cache.ts'
import type { Failure } from './minting-failures.ts'

interface Users {
  /** The userId of the session. */
  readonly own: string
  /** The userId of the other session. */
  readonly other: string
}

/** Accuses every response with a token that the mint issued for the other user only, with or without a mint call. */
export function judgeUserOfToken(
  judge: Judge,
  { tokenOf }: Pick<Backend, 'tokenOf'>,
  double: ScriptedMint,
  { name, replies, users: { own, other } }: Pick<Failure, 'name'> & Pick<Asked, 'replies'> & { users: Users },
): void {
  const usersOf = (token: string) =>
    double
      .calls()
      .filter(({ issued }) => issued === token)
      .map(({ userId }) => userId)
  const foreign = replies.filter((reply) => {
    const token = tokenOf(reply)
    const users = token === null ? [] : usersOf(token)
    return users.includes(other) && !users.includes(own)
  })
  judge.must(foreign.length === 0, {
    case: name,
    saw: `a calling token that the mint issued for another user when the mint ${name}`,
    expected: 'no token of another user (2.1.4)',
    fix: 'Answer 502 when the mint fails or is not called; keep tokens by user, if at all.',
    evidence: foreign.map(({ exchange }) => exchange),
    isShown: true,
  })
}
