import type { RecordedJoin, SplitJoin } from './carriage-kind.ts'

/** Takes every header of this name for the credential. */
export function splitHeaders(join: RecordedJoin, name: string): SplitJoin {
  const isCredential = ([other]: readonly [string, string]) => other === name.toLowerCase()
  return {
    credential: join.headers.filter(isCredential).map(([other, value]) => `${other}: ${value}`),
    rest: { ...join, headers: join.headers.filter((pair) => !isCredential(pair)) },
  }
}
