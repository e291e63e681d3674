import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createEnvironment } from './environment.ts'

const processWith = (stream: object) =>
  Object.assign(new EventEmitter(), {
    cwd: () => '/',
    env: {},
    stdout: { write: () => true, ...stream },
    stderr: { write: () => true, ...stream },
  }) as unknown as NodeJS.Process

test.each([
  [120, 120],
  [0, 80],
  [undefined, 80],
])('a terminal that says %s columns has %s', (columns, expected) => {
  const environment = createEnvironment(processWith({ isTTY: true, columns }), [])
  expect(environment.columns).toBe(expected)
  expect(environment.stderr.columns).toBe(expected)
})

test('a file has no width', () => {
  expect(createEnvironment(processWith({ isTTY: false }), []).columns).toBe(undefined)
})
