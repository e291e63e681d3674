import type { IncomingMessage } from 'node:http'
import { carriages } from './carriages/registry.ts'
import { readDeclaredUser } from './declared-users/registry.ts'
import type { SignalingProfile } from './profile.ts'
import type { Credential } from './template.ts'

/**
 * Reads the credential in the upgrade request: null where there is none, or where it comes later in a
 * message.
 */
export function readUpgrade(
  request: IncomingMessage,
  { carriage, declaredUser }: Pick<SignalingProfile, 'carriage' | 'declaredUser'>,
): Credential {
  const carried = carriages.readUpgrade(carriage, request)
  return { jwt: carried.jwt, userId: readDeclaredUser(declaredUser, request, carried) }
}
