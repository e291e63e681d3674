import { createInflater } from './containers/inflater.ts'
import { createAhead } from './containers/zip-pool.ts'
import { createJwtJudge, type TokenModel } from './jwt.ts'
import { defaultLeastSuffix, defaultPrefix } from './key-shape.ts'
import { createNameCleaner } from './location.ts'
import { createProgress, type Progress } from './progress.ts'
import { createRepeats } from './repeats.ts'
import { createCollector } from './report-to.ts'
import { escapedPattern, needlesFor } from './scan/needles.ts'
import { createSearcher } from './scan/search.ts'
import { type Audit, defaultLimits, type Limits, type Spent } from './settings.ts'

export interface AuditSettings {
  /** Host, or host:port. */
  readonly mintHost?: string
  /** What tokens of the mint look like: what resembles one is a calling JWT. */
  readonly like?: readonly TokenModel[]
  readonly prefix?: string
  /** Characters that a key has after its prefix at least. */
  readonly leastSuffix?: number
  readonly limits?: Partial<Limits>
  readonly nowSeconds?: () => number
  /** Told what is read next, inside containers too, and how many bytes were read before. */
  readonly onProgress?: Progress
}

export const nothingSpent: Spent = { entries: 0, bytes: 0, opened: 0, inflated: 0, allowed: 0 }

export function createAudit(settings: AuditSettings): Audit {
  const { onProgress = () => {} } = settings
  const { prefix = defaultPrefix, leastSuffix = defaultLeastSuffix, mintHost, like = [] } = settings
  const withoutSecrets = createNameCleaner(prefix)
  return {
    collector: createCollector(prefix),
    searcher: createSearcher(needlesFor(prefix), prefix),
    repeats: createRepeats(),
    inflater: createInflater(),
    ahead: createAhead(),
    progress: createProgress((location, bytes) => onProgress(withoutSecrets(location), bytes)),
    prefix,
    leastSuffix,
    escaped: escapedPattern(prefix),
    mintHost,
    jwts: createJwtJudge(like, settings.nowSeconds ?? (() => Date.now() / 1000)),
    limits: { ...defaultLimits, ...settings.limits },
    spent: { ...nothingSpent },
  }
}
