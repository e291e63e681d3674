import { whatIsJudged, whileJudging } from '../../base/judging.ts'
import { watchForStandstills } from '../../base/standstill.ts'
import type { Journey } from '../../roles/client/journey.ts'
import type { RunningJudge } from '../judge.ts'

interface JourneyReader {
  readonly checkId: string
  readonly judge: Pick<RunningJudge, 'noteStandstill'>
}

interface Shared {
  readonly driver: JourneyReader
  readonly recorded: Promise<Recorded>
}

/** A journey, with what the check that drives it would have noted by itself. */
interface Recorded {
  readonly journey: Journey
  readonly exchanges: readonly string[]
  readonly standstillMs: number
}

/** A journey that several first tries judge, since a page costs much. `shareTraces` gives kept traces to another name. */
export function createSharedJourney(shareTraces: (from: string, to: string) => void) {
  let shared: Shared | null = null
  const record = async (driver: JourneyReader, drive: () => Promise<Journey>): Promise<Recorded> => {
    using standstills = watchForStandstills()
    try {
      const exchanges: string[] = []
      const journey = await whileJudging({ exchanges }, drive)
      return { journey, exchanges, standstillMs: standstills.worst() }
    } catch (error) {
      // What a busy machine has lost must not cost those that come later their first try.
      shared = null
      throw error
    } finally {
      // The driver's own are gone once it is settled.
      shareTraces(driver.checkId, keptAs(driver))
    }
  }
  return {
    /** The first to ask drives it; the others get the record. */
    async read(reader: JourneyReader, drive: () => Promise<Journey>): Promise<Journey> {
      shared ??= { driver: reader, recorded: record(reader, drive) }
      const { driver, recorded } = shared
      try {
        const { journey, exchanges, standstillMs } = await recorded
        whatIsJudged().exchanges?.push(...exchanges)
        reader.judge.noteStandstill(standstillMs)
        return journey
      } finally {
        if (driver !== reader) shareTraces(keptAs(driver), reader.checkId)
      }
    },
  }
}

function keptAs({ checkId }: JourneyReader): string {
  return `the journey of ${checkId}`
}
