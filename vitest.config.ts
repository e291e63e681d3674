import { defineConfig } from 'vitest/config'

const everywhere = '{src,suites,fixtures,contracts}/**/*.test.ts'
/** Whole commands, each in processes of its own. */
const commands = ['src/cli/**/*.test.ts', 'contracts/**/*.test.ts']
const proof = ['src/proof/**/*.test.ts']
/** Few pages are open at once: whoever waits for one does so within the time of its case. */
const clients = ['src/proof/proof-of-clients.test.ts']
/** Each case is a whole suite, most of which is work. */
const conforming = ['src/proof/proof-of-conforming*.test.ts']
/** What installs packages or needs more of the machine has a command of its own. */
const alone = ['fixtures/package/**']

// One group after the other: the machine must not be so busy that a deadline of a real exchange passes.
export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: 20_000,
    env: { PACT_DO_NOT_TRACK: 'true' },
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: [everywhere],
          exclude: [...commands, ...proof, ...alone],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'commands',
          include: commands,
          // Much of a command is waiting; two at once leave each deadline its room.
          maxWorkers: 2,
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'proof',
          include: proof,
          exclude: [...clients, ...conforming],
          fileParallelism: false,
          // Most of a case is waiting for a token to expire.
          maxConcurrency: 12,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'conforming',
          include: conforming,
          maxConcurrency: 4,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'clients',
          include: clients,
          maxConcurrency: 12,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
