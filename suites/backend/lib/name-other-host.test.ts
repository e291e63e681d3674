import { expect, test } from 'vitest'
import { nameOtherHost } from './name-other-host.ts'

test.each([
  ['127.0.0.1', '127.0.0.1', 'localhost'],
  ['127.0.1.1', '127.0.1.1', 'localhost'],
  ['[::1]', '::1', 'localhost'],
  ['localhost', '127.0.0.1', '127.0.0.1'],
  ['localhost', '::ffff:127.0.0.1', '127.0.0.1'],
  ['localhost', '::1', '[::1]'],
  ['192.0.2.7', '192.0.2.7', '[::ffff:192.0.2.7]'],
  ['host.docker.internal', '172.17.0.1', '172.17.0.1'],
  ['[2001:db8::7]', '2001:db8::7', null],
])('a machine that is called %s at %s is also %s', (host, arrivedAt, other) => {
  expect(nameOtherHost(host, arrivedAt)).toBe(other)
})
