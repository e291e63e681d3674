import type { z } from 'zod'

/** Adds a problem whose message is the whole sentence after the path, not what was expected. */
export function complain(
  context: z.core.$RefinementCtx<unknown>,
  path: (string | number)[],
  sentence: string,
): void {
  context.addIssue({ code: 'custom', path, message: sentence, params: { sentence: true } })
}
