import { expect, test } from 'vitest'
import { addressBelow, isLoopbackName, isOutsideDns, namedHost } from './requested-address.ts'

test.each([
  ['a path and a query', '/a?b=c', 'http://127.0.0.1/a?b=c'],
  ['a host behind two slashes', '//evil.example/a', 'http://127.0.0.1//evil.example/a'],
  ['two slashes', '//', 'http://127.0.0.1//'],
  ['a backslash', '/\\evil.example/a', 'http://127.0.0.1//evil.example/a'],
  ['an at sign', '/@evil.example/a', 'http://127.0.0.1/@evil.example/a'],
  ['dot segments', '/a/../..//evil.example', 'http://127.0.0.1//evil.example'],
])('%s is a path below the origin', (_, target, address) => {
  expect(addressBelow('http://127.0.0.1', target)?.href).toBe(address)
})

test.each([
  'http://evil.example/',
  'HTTP://127.0.0.1/',
  '*',
  'evil.example:80',
  '@evil.example/',
  '',
  undefined,
])('%s is no path of this server', (target) => {
  expect(addressBelow('http://127.0.0.1', target)).toBeNull()
})

test.each([
  ['a host and a port', ['Host', '127.0.0.1:80'], '127.0.0.1'],
  ['a name in capitals', ['HOST', 'LocalHost:4100'], 'localhost'],
  ['an address of IPv6', ['Host', '[::1]:80'], '[::1]'],
  ['an address in another notation', ['Host', '0x7f.1:80'], '127.0.0.1'],
  ['none', ['X-Host', 'a'], undefined],
  ['two', ['Host', 'localhost', 'host', 'localhost'], undefined],
  ['an empty one', ['Host', ''], undefined],
  ['half an address', ['Host', '[::1'], undefined],
  ['user information', ['Host', 'localhost@evil.example'], undefined],
  ['a path', ['Host', 'localhost/.evil.example'], undefined],
  ['a query', ['Host', 'localhost?'], undefined],
])('the host of a request: %s', (_, rawHeaders, hostname) => {
  expect(namedHost({ rawHeaders })?.hostname).toBe(hostname)
})

const hostnameOf = (host: string) => namedHost({ rawHeaders: ['Host', host] })?.hostname ?? ''

test.each([
  '127.0.0.1',
  '127.1.2.3:80',
  'localhost',
  'LOCALHOST.',
  'app.localhost:4104',
  '[::1]:80',
  '[::ffff:127.0.0.1]',
  '2130706433',
])('%s is a name of loopback', (host) => {
  expect(isLoopbackName(hostnameOf(host))).toBe(true)
})

test.each([
  'evil.example',
  'localhost.evil.example',
  'evil-localhost',
  '127.0.0.1.evil.example',
  '127.0.0.1.nip.io',
  '0.0.0.0',
  '192.168.1.20',
  '[::2]',
  '[::ffff:128.0.0.1]',
  'xn--localhost-abc',
])('%s is none', (host) => {
  expect(isLoopbackName(hostnameOf(host))).toBe(false)
})

test.each([
  ['192.168.1.20:9450', true],
  ['[fe80::1]:9450', true],
  ['localhost', true],
  ['rebound.evil.example', false],
  ['192.168.1.20.evil.example', false],
])('%s is decided over by no DNS server: %s', (host, isOutside) => {
  expect(isOutsideDns(hostnameOf(host))).toBe(isOutside)
})
