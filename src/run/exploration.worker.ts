import '../base/async-disposable-stack.ts'
import { withholdEnvironment } from '../base/given-environment.ts'
import { whileJudging } from '../base/judging.ts'
import { betweenResultsMs } from '../base/times.ts'
import { startWatchdog } from '../base/watchdog.ts'
import { type Explored, exploreRole } from '../explore/explore-role.ts'
import {
  type ExplorationOrder,
  type ExplorationTask,
  followCommand,
  type SideRun,
  tell,
  tellFailure,
} from './worker-protocol.ts'

// The process that `twotoken explore` gives its stories to: where it is blocked for good, it is ended, and the command has
// the results so far.

followCommand()
const interruption = new AbortController()
process.on('message', (order: ExplorationOrder) => {
  if (order.type === 'interrupt') interruption.abort()
  else void explore(order.task)
})

async function explore({
  role,
  configuration,
  watchdog: watched,
  ...options
}: ExplorationTask): Promise<void> {
  withholdEnvironment(configuration)
  const watchdog = startWatchdog(watched)
  let [told, found] = [0, 0]
  try {
    const explored = await whileJudging({ name: `a story of the ${role}` }, () =>
      exploreRole(role, configuration, {
        ...options,
        signal: interruption.signal,
        onStory: (stories, steps) => tell({ type: 'story', stories, steps }),
        onFound({ id, title }) {
          found += 1
          tell({ type: 'found', id, title })
        },
        onSoFar(soFar) {
          const now = performance.now()
          if (found === 0 && told > 0 && now - told < betweenResultsMs) return
          ;[told, found] = [now, 0]
          tell({ type: 'soFar', explored: apart(soFar) })
        },
      }),
    )
    await tell({ type: 'end', explored: apart(explored) })
  } catch (error) {
    await tellFailure(error)
  }
  await watchdog[Symbol.asyncDispose]()
  process.disconnect()
}

function apart({ checks, exchanges, secrets }: Explored): SideRun {
  return { checks, exchanges, secrets: secrets.drain() }
}
