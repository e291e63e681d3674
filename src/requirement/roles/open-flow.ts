import { createLogs } from '../../roles/flow/logs.ts'
import { createRecordedHops } from '../../roles/flow/recorded-hops.ts'
import type { Needed } from '../needs.ts'
import type { RunServices } from './run-services.ts'

export interface FlowRole {
  provide(): Partial<Needed>
}

/** What recording proxies between the parts have seen, where a run has such proxies, and what the parts have logged. */
export function openFlowRole({ configuration, journal, redactor }: RunServices): FlowRole {
  const { hopRecords, logs: files, partLogs } = configuration
  const hops = hopRecords && createRecordedHops(hopRecords, journal, redactor)
  const logs = createLogs({ files, ...(partLogs === undefined ? {} : { partLogs }) })
  return { provide: () => ({ ...(hops && { hops }), ...(logs && { logs }) }) }
}
