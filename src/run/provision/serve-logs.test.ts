import { expect, test } from 'vitest'
import { createLogs } from '../../roles/flow/logs.ts'
import { serveLogs } from './serve-logs.ts'

test('logs of started parts reach the process that judges, and no other path is served', async () => {
  const text = 'line one\nline two'
  await using served = await serveLogs({ readLogs: async () => [{ name: 'mint', text }] })
  const logs = createLogs({ files: ['/no/such/file.log'], partLogs: served.url })
  expect(await logs?.read()).toEqual([
    { name: 'file.log', text: '' },
    { name: 'mint', text },
  ])
  expect((await fetch(new URL('/', served.url))).status).toBe(404)
})

test('without a log there is nothing to read', () => {
  expect(createLogs({ files: [] })).toBeUndefined()
})
