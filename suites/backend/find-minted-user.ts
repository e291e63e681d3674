import type { ScriptedMint } from '../../src/roles/mint/double.ts'

/** The userId that the double made this token for; `null` where it made none such in this turn. */
export function findMintedUser(double: ScriptedMint, jwt: string): string | null {
  return double.calls().find(({ issued }) => issued === jwt)?.userId ?? null
}
