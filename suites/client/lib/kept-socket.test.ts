import { expect, test } from 'vitest'
import { judgeParts } from '../../../src/requirement/testing/judge-parts.ts'
import cli09 from '../reconnects-with-unexpired-token.ts'

test('CLI-09: a client that keeps its socket over disconnect is told so, and not judged', async () => {
  const app = {
    demand: () => undefined,
    backend: { lifetime: () => undefined, calls: () => [] },
    signaling: { attempts: () => [{ closedAt: null, exchange: 'x1' }] },
    join: async () => undefined,
    disconnect: async () => undefined,
    waitFor: async () => null,
    async [Symbol.asyncDispose]() {},
  }
  const client = { kind: 'program', open: async () => app }
  await expect(judgeParts(cli09, { client })).rejects.toMatchObject({
    name: 'ControlLost',
    message: expect.stringContaining(
      'kept its socket open after disconnect: have disconnect in client.driver',
    ),
  })
})
