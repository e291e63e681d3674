import { startReference } from '../../../../fixtures/stack.ts'
import { createFingerprintKey } from '../../../base/evidence/redact.ts'
import type { Blame, ReplaceablePart } from '../../../requirement/blame.ts'
import { replaceableParts } from '../../../requirement/blame.ts'
import type { AnyCheck, Catch } from '../../../requirement/define.ts'
import { runCheck } from '../../../requirement/run.ts'
import { openSession } from '../../../requirement/session.ts'
import { findBlame } from '../find-blame.ts'

/** The parts that a variant changes. */
export function partsOf(variant: Catch): ReplaceablePart[] {
  return replaceableParts.filter((part) => variant[part] !== undefined)
}

/** Deadline of a backend for its mint call: the machine may be busy. */
const mintDeadlineMs = 7_500

/** Judges a variant of the reference by one requirement, and asks whose fault it is where it fails. */
export async function blameVariant(
  check: AnyCheck,
  { withoutDouble, ...changed }: Omit<Catch, 'as'>,
): Promise<{ readonly verdict: string; readonly blame: Blame | null }> {
  const variant = { ...changed, backend: { mintDeadlineMs, ...changed.backend } }
  await using reference = await startReference({
    variant,
    withoutDouble: withoutDouble === true,
    withSecureDouble: withoutDouble !== true,
  })
  const { configuration, session: certificate } = reference
  const verdict = await judge(check, reference)
  if (verdict !== 'fail') return { verdict, blame: null }
  const { blames } = await findBlame([check], configuration, {
    wait: true,
    fingerprintKey: createFingerprintKey(),
    environment: {},
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...certificate,
  })
  return { verdict, blame: blames.get(check.id) ?? null }
}

async function judge(
  check: AnyCheck,
  { configuration, session: certificate }: Awaited<ReturnType<typeof startReference>>,
): Promise<string> {
  await using session = await openSession(configuration, certificate)
  return (await runCheck(check, session)).verdict
}
