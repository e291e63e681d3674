import type { Budgeted } from '../containers/budget.ts'
import { type Containers, defaultContainers } from '../containers/registry.ts'
import type { Source } from '../containers/source.ts'
import { createInflater, type Inflater } from '../containers/zip-inflate.ts'
import { type Ahead, createAhead } from '../containers/zip-scheduler.ts'
import { defaultFormats, type Formats } from '../formats/registry.ts'
import { createCollector } from '../model/collector.ts'
import { ofPath, partOf } from '../model/effort.ts'
import { createJwtJudge } from '../model/jwt.ts'
import { defaultLeastSuffix, defaultPrefix } from '../model/key-shape.ts'
import { createNameCleaner } from '../model/location.ts'
import { createFollowed, type Followed, type Progress, throttleProgress } from '../model/progress.ts'
import { type AuditSettings, defaultLimits, nothingSpent } from '../model/settings.ts'
import { createSearcher } from '../scan/create-searcher.ts'
import { escapedPattern, needlesFor } from '../scan/needles.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { createDedupeCache, type DedupeCache } from './dedupe-cache.ts'

/** What every part of an audit shares. */
export interface Audit extends ScanContext, Budgeted {
  readonly containers: Containers
  readonly formats: Formats
  readonly dedupe: DedupeCache
  readonly inflater: Inflater
  readonly ahead: Ahead
  readonly progress: Progress
  /** What is counted for the one who is told the progress. */
  readonly followed: Followed | null
}

/** One file, or one entry of a container, in memory. */
export interface Item {
  readonly location: string
  /** The last part of its name, for formats that have no other mark. */
  readonly name: string
  readonly bytes: Buffer
  readonly depth: number
}

/** The same, wherever its bytes are. */
export interface Sourced extends Omit<Item, 'bytes'> {
  readonly source: Source
  /** Bytes of the containers around it that are in memory, and of itself. */
  readonly held: number
}

export function createAudit(
  settings: AuditSettings,
  { containers, formats }: Pick<Audit, 'containers' | 'formats'> = {
    containers: defaultContainers,
    formats: defaultFormats,
  },
): Audit {
  const { onProgress } = settings
  const { prefix = defaultPrefix, leastSuffix = defaultLeastSuffix, mintHost, like = [] } = settings
  const withoutSecrets = createNameCleaner(prefix)
  const followed = onProgress === undefined ? null : createFollowed()
  return {
    containers,
    formats,
    collector: createCollector(prefix),
    searcher: createSearcher(needlesFor(prefix), prefix),
    dedupe: createDedupeCache(),
    inflater: createInflater(),
    ahead: createAhead(),
    progress:
      followed === null
        ? () => {}
        : throttleProgress(followed, (location, work) => onProgress?.(withoutSecrets(location), work)),
    followed,
    prefix,
    leastSuffix,
    escaped: escapedPattern(prefix),
    mintHost,
    jwts: createJwtJudge(like, settings.nowSeconds ?? (() => Date.now() / 1000)),
    limits: { ...defaultLimits, ...settings.limits },
    effort: partOf(null, ofPath),
    spent: { ...nothingSpent },
  }
}
