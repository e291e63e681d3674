import type { ServiceRole } from './configuration.ts'

/**
 * The first ten faults that were thought up and the first ten automata, by their numbers, that `run` does not see (`--run`). Some
 * automata have no way to their last state: they have no fault.
 */
export const faults: Readonly<Record<ServiceRole, readonly string[]>> = {
  mint: [
    ...['cap-forgotten-in-pause', 'held-beside-another', 'same-user-again', 'behind-other-project'],
    ...[
      'trial-behind-wrong',
      'locked-user',
      'idempotency-for-all',
      'lifetime-of-rejected',
      'lifetime-of-before',
    ],
    ...['user-behind-other-project', '1', '3', '4', '5', '6', '7', '8', '9', '11', '12'],
  ],
  backend: [
    ...[
      'out-while-minting',
      'joins-flight',
      'no-session-behind-closed',
      'out-and-failed',
      'leftover',
      'user-of-busy',
    ],
    ...['other-behind-sign-out', 'day-behind-402', 'no-key-behind-limits', 'swapped-behind-failures'],
    ...['1', '4', '5', '8', '10', '11', '14', '15', '17', '18'],
  ],
  signaling: [
    ...['banned-by-drops', 'beside-genuine', 'signature-by-start', 'kept-past-expiry', 'resumes'],
    ...['other-sign-behind-forged', 'locked-out', 'claims-behind-drop', 'other-in-turn', 'user-of-mate'],
    ...['1', '2', '4', '5', '6', '7', '9', '10', '11', '12'],
  ],
}

/** Conforming services that differ from each other. */
export const habits: Readonly<Record<ServiceRole, readonly string[]>> = {
  mint: [
    ...['plain', 'idempotency', 'whole-minutes', 'spread-ends', 'same-second', 'cached', 'two-nodes'],
    ...['plain-text', 'nested', 'ban', 'cap-resets', 'slow-start', 'no-keep-alive', 'rotated-keys'],
  ],
  backend: [
    ...['plain', 'no-content', 'late-sign-out', 'two-nodes', 'cached', 'breaker', 'retry', 'waits'],
    ...['one-flight', 'ban', 'slow-start', 'short-keep-alive', 'five-minutes'],
  ],
  signaling: [
    ...['plain', 'one-device', 'close-1008', 'frame-first', 'leeway-1', 'leeway-5', 'used-once', 'ban'],
    ...['slow-start', 'capacity', 'late-ready', 'rotated-keys', 'undeclared'],
  ],
}
