import { faultOfStatus } from '../base/evidence/transport-fault.ts'
import type { Interaction } from './interaction.ts'
import type { CoreResult } from './pact-core.ts'
import type { Seen } from './relay.ts'

export interface Attempted {
  readonly seen: Seen
  /** `undefined` where the core reported nothing. */
  readonly result: CoreResult | undefined
  /** True where a transport fault came back in a second attempt, while another interaction was answered. */
  readonly faultReturned: boolean
}

export type Attempt = ReadonlyMap<Interaction, Omit<Attempted, 'faultReturned'>>

export const notAttempted: Attempted = {
  seen: { states: [], replies: [] },
  result: undefined,
  faultReturned: false,
}

/** Attempts all, and once more those with a transport fault beside one without: only a fault that comes back then counts. */
export async function retryFaults(
  interactions: readonly Interaction[],
  attempt: (interactions: readonly Interaction[]) => Promise<Attempt>,
): Promise<ReadonlyMap<Interaction, Attempted>> {
  const first = await attempt(interactions)
  const faulty = interactions.filter(
    (interaction) => faultIn(first.get(interaction) ?? notAttempted) !== null,
  )
  const control = interactions.find((interaction) => first.get(interaction)?.result?.ok === true)
  const second =
    faulty.length === 0 ? first : await attempt(control === undefined ? faulty : [...faulty, control])
  const isAnswered = control !== undefined && second.get(control)?.result?.ok === true
  return new Map(
    interactions.map((interaction) => {
      const isRetried = faulty.includes(interaction)
      const last = (isRetried ? second : first).get(interaction) ?? notAttempted
      return [interaction, { ...last, faultReturned: isRetried && isAnswered && faultIn(last) !== null }]
    }),
  )
}

/** Names the fault that kept the provider from answering the last request, as a clause; null where there is none. */
export function faultIn({ seen, result }: Pick<Attempted, 'seen' | 'result'>): string | null {
  const reply = seen.replies.at(-1)
  if (reply === undefined || result?.ok === true) return null
  return reply.kind === 'no-answer' ? reply.message : faultOfStatus(reply.status)
}
