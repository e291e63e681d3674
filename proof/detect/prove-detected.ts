import type { Conforming } from '../../fixtures/conforming.ts'
import { startReference } from '../../fixtures/stack.ts'
import type { Configuration } from '../../src/configuration/configuration.ts'
import { detect } from '../../src/detect/detect.ts'
import { parseHint } from '../../src/detect/hint.ts'
import type { AnyCheck } from '../../src/requirement/define.ts'
import { runCheck, sortByPhase } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import type { SignalingProfile } from '../../src/roles/signaling/types.ts'
import type { Cell } from '../variants/prove.ts'

export interface DetectedRun {
  /** Null where nothing was found. */
  readonly profile: SignalingProfile | null
  readonly reason: string
  readonly cells: readonly Cell[]
}

/** Variants that detection cannot guess: the user gives a hint. */
const hints: Readonly<Record<string, string>> = {
  'signaling/user declared beside the token in a header':
    '{ carriage: { in: header, name: X-Calling, template: "user={userId};token={jwt}" }, declaredUser: { in: carriage } }',
}

/** A detected profile cannot know whether clients take a 403, or a violated policy, for a 401. */
const unnamed: Conforming['expected'] = { 'SIG-08': 'warn' }
const expectedBesides: Readonly<Record<string, Conforming['expected']>> = {
  'signaling/refused as 403': unnamed,
  'signaling/refused with a policy violation': unnamed,
}

/** Detects the signaling profile of a variant of the reference, and judges the variant by it. */
export async function proveDetected(
  checks: readonly AnyCheck[],
  name: string,
  { variant, expected = {} }: Conforming,
): Promise<DetectedRun> {
  await using reference = await startReference({ variant, withoutDouble: true })
  return await judgeAsDetected(checks, name, reference.configuration, {
    ...expected,
    ...expectedBesides[name],
  })
}

async function judgeAsDetected(
  checks: readonly AnyCheck[],
  name: string,
  { signaling, ...others }: Configuration,
  expected: NonNullable<Conforming['expected']>,
): Promise<DetectedRun> {
  if (signaling === undefined) throw new Error(`${name} has no signaling`)
  const { access: _, ...unknown } = signaling
  const hint = hints[name]
  const found = await detect(
    { ...others, signaling: unknown },
    { parts: ['signaling'], hints: hint === undefined ? [] : [parseHint(hint)] },
  )
  if ('missing' in found.signaling) return { profile: null, reason: found.signaling.missing, cells: [] }
  const { profile } = found.signaling.found
  await using session = await openSession({ ...others, signaling: { ...unknown, access: { profile } } })
  const results = await Promise.all(sortByPhase(checks).map((check) => runCheck(check, session)))
  const cells = results.map((result): Cell => {
    // A place may exist although none was found.
    const isUnconfirmed = result.id === 'SIG-05' && profile.declaredUser.in === 'none'
    const right = isUnconfirmed ? 'untested' : expected[result.id]
    const verdicts = right === undefined ? (['pass', 'info', 'not-applicable'] as const) : [right]
    const holds = verdicts.some((verdict) => verdict === result.verdict)
    return { requirement: result.id, variant: name, kind: 'conforming', expected: verdicts, result, holds }
  })
  return { profile, reason: '', cells }
}
