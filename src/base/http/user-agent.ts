import { version } from '../version.ts'

/** The value of `User-Agent`: a service's own log then names the exchange in which the suite has recorded the same request. */
export function userAgentOf(run: string, exchange: string): string {
  return `twotoken/${version} (${run}; ${exchange})`
}
