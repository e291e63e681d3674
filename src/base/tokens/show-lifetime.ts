import { daySeconds } from '../times.ts'

const yearSeconds = 365.25 * daySeconds
const mostDays = 9_999

/** A lifetime as a finding shows it: long ones in days or years, since a report masks what has as many digits as an id. */
export function showLifetime(seconds: number): string {
  if (Math.abs(seconds) <= daySeconds) return `${Math.round(seconds)} s`
  const days = Math.round(seconds / daySeconds)
  return Math.abs(days) <= mostDays
    ? `${days} ${days === 1 ? 'day' : 'days'}`
    : `${Math.round(seconds / yearSeconds)} years`
}
