import type { ScriptedMint } from '../../../src/roles/mint/double.ts'

/** The userId for which the double issued this token; `null` where it did not issue it in this turn. */
export function findMintedUser(double: Pick<ScriptedMint, 'calls'>, jwt: string): string | null {
  return double.calls().find(({ issued }) => issued === jwt)?.userId ?? null
}
