import type { Budgeted } from '../containers/budget.ts'
import { type Containers, defaultContainers } from '../containers/registry.ts'
import type { Source } from '../containers/source.ts'
import { createInflater, type Inflater } from '../containers/zip-inflate.ts'
import { defaultFormats, type Formats } from '../formats/registry.ts'
import { createCollector } from '../model/collector.ts'
import { createJwtJudge } from '../model/jwt.ts'
import { defaultLeastSuffix, defaultPrefix } from '../model/key-shape.ts'
import type { Followed, Progress } from '../model/progress.ts'
import { type AuditSettings, defaultLimits, nothingSpent, type Spent } from '../model/settings.ts'
import { createGate } from '../script/gate.ts'
import { createScriptReader } from '../script/reader.ts'
import { createSearcher } from '../search/create-searcher.ts'
import { escapedPattern, needlesFor } from '../search/needles.ts'
import type { ScanContext } from '../search/scan-context.ts'

/** The state that every part of an audit shares. */
export interface Audit extends ScanContext, Budgeted {
  readonly containers: Containers
  readonly formats: Formats
  readonly inflater: Inflater
  readonly progress: Progress
  /** Counters for the caller who follows the progress. */
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
  settings: Omit<AuditSettings, 'onProgress'>,
  { containers, formats }: Pick<Audit, 'containers' | 'formats'> = {
    containers: defaultContainers,
    formats: defaultFormats,
  },
  follow: (spent: Spent) => Followed | null = () => null,
): Audit {
  const { prefix = defaultPrefix, leastSuffix = defaultLeastSuffix, mintHost, like = [] } = settings
  const limits = { ...defaultLimits, ...settings.limits }
  const spent = { ...nothingSpent }
  const followed = follow(spent)
  return {
    containers,
    formats,
    collector: createCollector(prefix),
    searcher: createSearcher(needlesFor(prefix, mintHost), prefix),
    gate: createGate(prefix, leastSuffix, mintHost),
    reader: createScriptReader(prefix, limits.fileSeconds),
    inflater: createInflater(),
    progress: (location, bytes) => followed?.progress(location, bytes),
    followed,
    prefix,
    leastSuffix,
    escaped: escapedPattern(prefix),
    mintHost,
    jwts: createJwtJudge(like, () => Date.now() / 1000),
    limits,
    spent,
  }
}
