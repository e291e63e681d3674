import {
  type AuditResult,
  type Finding,
  loadApart,
  modelOf,
  ruleTexts,
  type TokenModel,
} from '../../../audit/src/api.ts'
import { withOwnErrors } from '../../../src/base/errors.ts'
import { ControlLost, Untested } from '../../../src/base/inconclusive.ts'
import type { Configuration } from '../../../src/configuration/configuration.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CommonContext } from '../../../src/requirement/needs.ts'

interface BundleAudit extends AuditResult {
  /** Why the tokens of a mint that is configured could not be seen; null where they were, or there is no mint. */
  readonly noModel: string | null
}

const audits = new WeakMap<Configuration, Promise<BundleAudit>>()

/**
 * The audit of `bundle.paths`, which the requirements of a run share. The mint's host is also known from its URL, and the
 * format of its tokens from one of them.
 */
export function auditBundle(common: CommonContext): Promise<BundleAudit> {
  const { configuration } = common
  if (configuration.bundle === undefined) throw new Untested('needs bundle.paths, the build artefacts')
  const running = audits.get(configuration) ?? start(common)
  audits.set(configuration, running)
  return running
}

async function start(common: CommonContext): Promise<BundleAudit> {
  const { bundle = { paths: [] }, mint, directory } = common.configuration
  const mintHost = bundle.mintHost ?? (mint && new URL(mint.url).host)
  const { prefix, minLength: leastSuffix } = bundle.key ?? {}
  const { auditPathsApart } = await loadApart()
  const { like, noModel } = await likeOf(common)
  const auditing = auditPathsApart(bundle.paths, directory, { mintHost, prefix, leastSuffix, like })
  return { ...(await withOwnErrors(auditing)), noModel }
}

/** The model of a token of the mint, where one is configured; otherwise a calling JWT is recognised by its claims. */
async function likeOf({
  available,
  newUser,
}: CommonContext): Promise<Pick<BundleAudit, 'noModel'> & { readonly like: TokenModel[] }> {
  const mint = available('mint')
  if (mint === undefined) return { like: [], noModel: null }
  try {
    const model = modelOf((await mint.token(newUser())).jwt)
    return { like: model === null ? [] : [model], noModel: null }
  } catch (error) {
    if (error instanceof ControlLost) return { like: [], noModel: error.message }
    throw error
  }
}

/** An error is a breach of a MUST, a warning one of advice; notes are counted. */
export function judgeFindings(
  judge: Judge,
  findings: readonly Finding[],
  { expected, fix }: { readonly expected: string; readonly fix: string },
): void {
  judge.passed()
  for (const finding of findings) {
    const { level, rule, location, shown, decoder } = finding
    const saw = `${shown} in ${location}, read as ${decoder} (${rule}: ${ruleTexts[rule]?.title ?? 'no title'})`
    if (level === 'error') judge.must(false, { case: location, saw, expected, fix })
    if (level === 'warning') judge.advisory(false, { case: location, saw, expected, fix })
  }
  judge.observe('notes', findings.filter(({ level }) => level === 'note').length)
}
