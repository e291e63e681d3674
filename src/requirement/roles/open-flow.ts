import { createLogs } from '../../roles/flow/logs.ts'
import { createRecordedHops } from '../../roles/flow/recorded-hops.ts'
import type { Provided } from '../needs.ts'
import type { RunServices } from './run-services.ts'

export interface FlowRole {
  provide(): Provided
}

/** Provides the logs of the parts, and the traffic between them where a run has recording proxies. */
export function openFlowRole({ configuration, journal }: RunServices): FlowRole {
  const { hopRecords, logs: files, partLogs } = configuration
  const hops = hopRecords === undefined ? undefined : createRecordedHops(hopRecords, journal)
  const logs = createLogs({ files, partLogs })
  return { provide: () => ({ hops, logs }) }
}
