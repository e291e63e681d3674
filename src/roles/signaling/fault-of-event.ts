import {
  faultOfCloseCode,
  faultOfStatus,
  type Unavailability,
  unavailableByCloseCode,
  unavailableByStatus,
} from '../../base/evidence/transport-fault.ts'
import type { SignalingEvent } from './event-log.ts'

/**
 * Explains the last event of a connection as a fault on the way to the service, as a clause. Null where the
 * service has answered.
 */
export function faultOfEvent({ type, code = 0, text }: Omit<SignalingEvent, 'at'>): string | null {
  if (type === 'error' || type === 'timeout') return text
  if (type === 'http') return faultOfStatus(code)
  return type === 'close' ? faultOfCloseCode(code) : null
}

/** How the last event of a connection shows that signaling is down, or bans its client. */
export function unavailableByEvent({
  type,
  code = 0,
  unavailable,
}: Omit<SignalingEvent, 'at'>): Unavailability | undefined {
  if (type === 'timeout') return 'silent'
  if (type === 'http') return unavailableByStatus(code)
  return type === 'close' ? unavailableByCloseCode(code) : unavailable
}
