import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const everywhere = '{src,audit,suites,fixtures,contracts,proof,docs}/**/*.test.ts'
/** Whole commands, each in processes of its own: `npm run check -- commands`. */
const commands = ['src/cli/**/*.test.ts', 'contracts/**/*.test.ts', 'docs/**/*.test.ts']
const proof = ['proof/{variants,servers,detect,explore}/*.test.ts']
/** Services that turn bad or are overloaded, files that cost much, and machines that are busy: `npm run check -- faults`. */
const faults = ['proof/faults/*.test.ts', 'audit/src/hostile/costly.test.ts']
/** Tests that install packages or need more of the machine have their own command. */
const alone = ['fixtures/package/**', 'docs/site/**', 'proof/peers/**']

/** Those that wait the longest, by where they are: begun last, each would be waited for alone. */
const longest = [
  'proof/faults/turning.test.ts',
  'proof/faults/overloaded-recovery.test.ts',
  'src/run/device-behind-proxy.test.ts',
  'proof/detect/detected.test.ts',
  'src/requirement/client-bad-input.test.ts',
  'proof/variants/proof-of-mint-backend-and-bundle.test.ts',
  'proof/variants/proof-of-signaling-and-flow.test.ts',
  'proof/variants/mint-costs.test.ts',
  'proof/variants/without-double.test.ts',
  'src/run/explore-apart.test.ts',
  'audit/proof/samples.test.ts',
  'proof/variants/mixed-tokens.test.ts',
  'proof/embedded/conformance.test.ts',
  'proof/variants/backend.test.ts',
  'proof/explore/stories.test.ts',
  'proof/servers/stand-ins.test.ts',
  'proof/variants/key-rotation.test.ts',
  'proof/variants/mint.test.ts',
  'src/run/renewed-sessions.test.ts',
  'src/listeners.test.ts',
  'docs/generator/tutorial.test.ts',
  'src/cli/commands/mistakes.test.ts',
  'src/cli/commands/run.test.ts',
  'src/cli/commands/detect.test.ts',
  'src/cli/ci.test.ts',
  'docs/generator/run-commands.test.ts',
  'docs/fixes/fixes.test.ts',
  'src/cli/commands/run-output.test.ts',
  'src/cli/faults/blocked.test.ts',
  'src/cli/commands/no-secret-in-outputs.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((file) => moduleId.endsWith(file))
      return place === -1 ? longest.length : place
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

/** Their module mocks and fake timers would be those of other files, too. */
const apart = [
  'src/{base/told-wait,cli/watched,cli/output/run-progress,roles/client/page/shipped-browser}.test.ts',
]
/**
 * Files share a process, since a start of Vitest's module graph costs more than most of them. Most of a case is waiting, and most of a
 * file's end: seven processes keep two processors at work. On a machine that others keep busy, so many would wait for each other.
 */
const [load = 0] = loadavg()
const isBusy = load > 4 * availableParallelism()
const maxWorkers = isBusy ? 3 : 7
const besideEachOther = {
  isolate: false,
  maxWorkers,
  maxConcurrency: isBusy ? 3 : 10,
  sequence: { groupOrder: 0 },
}

/** Only what hangs for ever takes so long: a shared machine may be twenty times slower than one that is idle. */
export const hungMs = 1_800_000

export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: hungMs,
    hookTimeout: hungMs,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    // Commands that tests start load what an earlier one has compiled.
    env: {
      PACT_DO_NOT_TRACK: 'true',
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.compiled'),
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: [everywhere],
          exclude: [...commands, ...proof, ...faults, ...alone, ...apart],
          ...besideEachOther,
        },
      },
      {
        extends: true,
        test: { name: 'apart', include: apart, maxWorkers, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'commands',
          include: commands,
          exclude: alone,
          // Much of a command is waiting.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'proof',
          include: proof,
          ...besideEachOther,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: faults,
          maxWorkers: 2,
          // Most of them wait for what never answers.
          maxConcurrency: 10,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
