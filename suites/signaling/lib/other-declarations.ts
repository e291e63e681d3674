import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { Credential } from './reject-credentials.ts'

/** The same credentials of clients that declare no user, and of some that declare one who was accepted a moment ago. */
export async function declareOthers<One extends Omit<Credential, 'userId'>>(
  credentials: readonly One[],
  { callingTokens, signaling }: CheckContext<'callingTokens' | 'signaling'>,
  known = credentials,
): Promise<Credential[]> {
  if (!signaling.declaresUser) return []
  const { jwt, userId } = await callingTokens.fresh()
  await signaling.accepted({ jwt, userId })
  const declaring = (some: readonly One[], declared: string | undefined, how: string) =>
    some.map((one) => ({ ...one, name: `${one.name}, with ${how}`, userId: declared }))
  return [
    // A service may accept a client under another name, which no declared user would match.
    ...declaring(credentials, undefined, 'no userId declared'),
    // Authorisation may be cached by user.
    ...declaring(known, userId, 'the userId of a client that has just joined'),
  ]
}
