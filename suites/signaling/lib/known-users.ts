import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { Credential } from './reject-credentials.ts'

type Parts = Pick<CheckContext<'callingTokens' | 'signaling'>, 'callingTokens' | 'signaling'>

/** The same credentials of one who names a user that was accepted a moment ago: authorisation may be cached by user. */
export async function asKnownUser(
  credentials: readonly Omit<Credential, 'userId'>[],
  { callingTokens, signaling }: Parts,
): Promise<Credential[]> {
  if (!signaling.declaresUser) return []
  const { jwt, userId } = await callingTokens.fresh()
  await signaling.accepted({ jwt, userId })
  return credentials.map((one) => ({
    ...one,
    name: `${one.name}, with the userId of a client that has just joined`,
    userId,
  }))
}

/** The same without a declared user: a service may accept a client under a name of its own, which no declared user would match. */
export function asNobody(
  credentials: readonly Omit<Credential, 'userId'>[],
  { signaling }: Pick<Parts, 'signaling'>,
): Credential[] {
  if (!signaling.declaresUser) return []
  return credentials.map((one) => ({
    ...one,
    name: `${one.name}, with no userId declared`,
    userId: undefined,
  }))
}
