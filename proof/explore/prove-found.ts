import type { DeepVariant } from '../../fixtures/explore/deep-variant.ts'
import { startReference } from '../../fixtures/stack.ts'
import { exploreRole } from '../../src/explore/explore-role.ts'
import type { Variant } from '../../src/requirement/define.ts'
import type { ExploredRole } from '../../src/requirement/explored-roles.ts'
import type { CheckResult } from '../../src/requirement/run.ts'
import type { ShownStory } from '../../src/requirement/shown-story.ts'

export interface FindOptions {
  readonly seed: number
  readonly minutes: number
}

/** The results of exploring a variant, and the time at which the variant's breach was found. */
export interface FindResult {
  readonly checks: readonly CheckResult[]
  /** Infinite where it was not found. */
  readonly seconds: number
}

/** Explores a deep variant until what it breaks is found, or the time is over. */
export async function findStory(
  role: ExploredRole,
  { breaks, variant, restart }: DeepVariant,
  { seed, minutes }: FindOptions,
): Promise<FindResult> {
  const begun = performance.now()
  const isFound = new AbortController()
  let seconds = Number.POSITIVE_INFINITY
  const checks = await exploreVariant(role, variant, {
    seed,
    signsIn: role === 'backend',
    milliseconds: minutes * 60_000,
    reset: async () => restart(),
    signal: isFound.signal,
    onFound({ id }) {
      if (id !== breaks) return
      seconds = (performance.now() - begun) / 1000
      isFound.abort()
    },
  })
  return { checks, seconds }
}

/** Tells a deep variant one story. */
export function tellStoryTo(
  role: ExploredRole,
  { variant, restart }: DeepVariant,
  story: ShownStory,
): Promise<readonly CheckResult[]> {
  return exploreVariant(role, variant, {
    seed: 1,
    signsIn: role === 'backend',
    milliseconds: 0,
    reset: async () => restart(),
    replay: story,
  })
}

interface ExploreVariantOptions
  extends Omit<Parameters<typeof exploreRole>[2], 'environment' | 'doubleCertificate'> {
  /** Users sign in and out: the variant answers the login as the reference does. */
  readonly signsIn?: boolean
}

/** Explores a variant of the reference over real sockets. */
export async function exploreVariant(
  role: ExploredRole,
  variant: Variant,
  { signsIn = false, ...options }: ExploreVariantOptions,
): Promise<readonly CheckResult[]> {
  await using reference = await startReference({ variant, signsIn })
  const { checks } = await exploreRole(role, reference.configuration, {
    environment: {},
    ...reference.session,
    ...options,
  })
  return checks
}
