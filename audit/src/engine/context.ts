import type { Budgeted } from '../containers/budget.ts'
import { type Containers, defaultContainers } from '../containers/registry.ts'
import type { Source } from '../containers/source.ts'
import { createInflater, type Inflater } from '../containers/zip-inflate.ts'
import { defaultFormats, type Formats } from '../formats/registry.ts'
import { createCollector, type Found } from '../model/collector.ts'
import { ofPath, partOf } from '../model/effort.ts'
import { createJwtJudge } from '../model/jwt.ts'
import { defaultLeastSuffix, defaultPrefix } from '../model/key-shape.ts'
import { createNameCleaner } from '../model/location.ts'
import { createFollowed, type Followed, type Progress, type ReadSoFar } from '../model/progress.ts'
import { type Pulse, type Spared, unwatched } from '../model/pulse.ts'
import { type AuditSettings, defaultLimits, nothingSpent, type Spent } from '../model/settings.ts'
import { createSearcher } from '../scan/create-searcher.ts'
import { escapedPattern, needlesFor } from '../scan/needles.ts'
import type { ScanContext } from '../scan/scan-context.ts'

/** The state that every part of an audit shares. */
export interface Audit extends ScanContext, Budgeted {
  readonly containers: Containers
  readonly formats: Formats
  readonly inflater: Inflater
  readonly progress: Progress
  /** Counters for the caller who follows the progress. */
  readonly followed: Followed | null
  readonly pulse: Pulse
  /** Locations that were not read within the limits before. */
  readonly spared: Map<string, Spared>
}

/** How an audit is watched from outside. */
export interface Watch {
  pulse(spent: Spent): Pulse
  /** Is told each thing that is found, at once. */
  readonly tell?: (found: Found) => void
  readonly follow?: ((location: string, read: ReadSoFar) => void) | null
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
  watch: Watch = { pulse: () => unwatched },
): Audit {
  const { prefix = defaultPrefix, leastSuffix = defaultLeastSuffix, mintHost, like = [] } = settings
  const withoutSecrets = createNameCleaner(prefix)
  const { follow = null, tell } = watch
  const spent = { ...nothingSpent }
  const pulse = watch.pulse(spent)
  const followed =
    follow === null ? null : createFollowed(spent, (location, read) => follow(withoutSecrets(location), read))
  return {
    containers,
    formats,
    collector: createCollector(prefix, tell),
    searcher: createSearcher(needlesFor(prefix), prefix),
    inflater: createInflater(),
    progress(location, bytes) {
      pulse.beat()
      followed?.progress(location, bytes)
    },
    followed,
    pulse,
    spared: new Map(),
    prefix,
    leastSuffix,
    escaped: escapedPattern(prefix),
    mintHost,
    jwts: createJwtJudge(like, () => Date.now() / 1000),
    limits: { ...defaultLimits, ...settings.limits },
    effort: partOf(null, ofPath),
    archive: { parts: new Set() },
    spent,
  }
}
