import { extname, join } from 'node:path'
import { failureOf } from '../engine/or-gap.ts'
import { type AuditSettings, defaultLimits } from '../model/settings.ts'
import { reasonOf } from '../threads/give-up.ts'
import { boundedByMachine, kindOf } from '../threads/kind.ts'
import { orderWatched } from '../threads/order-watched.ts'
import { startReadingThread } from '../threads/reading-thread.ts'
import { type SelfTest, type SelfTestCell, unplanted } from './cells.ts'
import { listFiles } from './list-files.ts'

const usualProgram = join(import.meta.dirname, `planting.worker${extname(import.meta.filename)}`)

/** How many files are given up before all of the rest are. */
const mostGivenUp = 8
const tooMany = `not read: ${mostGivenUp} other files were given up`
/** The file, its copy, and what is unpacked and packed again of both. */
const copies = 4

/**
 * Plants canaries into copies of files in memory, audits the copies with the same settings, and says which were found.
 * Nothing is written. A thread does it, with the bounds of an audit: it is ended at a file that goes over one, and the test
 * begins again without that file.
 * @param program what the thread runs
 * @throws AuditError `usage` for a path that does not exist
 */
export async function selfTest(
  paths: readonly string[],
  directory: string,
  { onProgress: _, ...settings }: AuditSettings = {},
  program = usualProgram,
): Promise<SelfTest> {
  const files = await listFiles(paths, directory)
  const limits = boundedByMachine({ ...defaultLimits, ...settings.limits })
  const kind = kindOf(limits, program)
  const held = copies * Math.max(0, ...files.map(({ size }) => size))
  const watched = boundedByMachine({ ...limits, fileMemory: limits.fileMemory + held })
  const givenUp = new Map<number, SelfTestCell>()
  for (;;) {
    const thread = startReadingThread(kind)
    const order = { kind: 'plant', files, settings, givenUp: [...givenUp.keys()] } as const
    let cells: readonly SelfTestCell[] = []
    const outcome = await orderWatched(thread, order, watched, (answer) => {
      if (answer.kind === 'cells') cells = answer.cells
    })
    if (outcome.kind === 'done') {
      await thread.close()
      return { cells: [...cells, ...givenUp.values()] }
    }
    const { file: index } = thread.pulse.look()
    const file = files[index ?? -1]
    // Nothing was read: it is the thread that does not work.
    if (index === null || file === undefined)
      throw outcome.kind === 'failed' ? outcome.error : new Error(`a self-test is over its ${outcome.limit}`)
    const reason = outcome.kind === 'failed' ? failureOf(outcome.error) : reasonOf(outcome.limit, watched)
    givenUp.set(index, unplanted(file.location, reason))
    if (givenUp.size === mostGivenUp) {
      const rest = files.filter((_, at) => !givenUp.has(at))
      return { cells: [...givenUp.values(), ...rest.map(({ location }) => unplanted(location, tooMany))] }
    }
  }
}
