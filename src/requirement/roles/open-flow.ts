import { createRecordedHops } from '../../roles/flow/recorded-hops.ts'
import type { Needed } from '../needs.ts'
import type { RunServices } from './run-services.ts'

export interface FlowRole {
  provide(): Partial<Needed>
}

/** What recording proxies between the parts have seen, where a run has such proxies. */
export function openFlowRole({ configuration, journal, redactor }: RunServices): FlowRole {
  const { tapRecords } = configuration
  const hops = tapRecords && createRecordedHops(tapRecords, journal, redactor)
  return { provide: () => ({ ...(hops && { hops }) }) }
}
