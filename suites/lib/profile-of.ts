import type { SignalingAccess } from '../../src/roles/signaling/configuration.ts'

/** What the file says of the protocol; null with an adapter, which sends what it likes, and without signaling. */
export function profileOf(access: SignalingAccess | undefined) {
  return access !== undefined && 'profile' in access ? access.profile : null
}
