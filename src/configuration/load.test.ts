import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultLimits } from '../base/http/limits.ts'
import { loadConfiguration, resolveConfiguration } from './load.ts'
import { complaint, load, profile } from './testing/load.ts'

test('a valid file keeps the command that prints a session that has ended', async () => {
  const { backend } = await load(`
backend:
  url: https://shop.example.com/calling/token
  sessions:
    expired: { token: { command: printf expired-1 } }
    signedOut: { token: signed-out-1 }
`)
  expect(backend?.sessions).toEqual({
    expired: { token: 'expired-1', command: 'printf expired-1' },
    signedOut: { token: 'signed-out-1' },
  })
})

test('a valid file takes a session that lives for a day', async () => {
  const token = '{ command: printf session-1, freshEverySeconds: 80000 }'
  const { backend } = await load(`
backend:
  url: https://shop.example.com/calling/token
  sessions: { alice: { token: ${token}, userId: u-alice } }
`)
  expect(backend?.sessions?.alice?.token).toBe('session-1')
})

test('a valid file fills in a profile', async () => {
  const { signaling } = await load(profile)
  expect(signaling?.access).toEqual({
    profile: {
      carriage: { in: 'header', name: 'Authorization', template: 'Bearer {jwt}' },
      declaredUser: { in: 'none' },
      success: [{ frame: { path: '$.type', equals: 'welcome' } }],
      failure: [],
      unauthorized: [],
      samples: {},
      timeoutMs: 8000,
      settleMs: 300,
    },
  })
})

test('a valid file is named after its folder where it has no name', async () => {
  const { name, directory } = await load('absent: []\n')
  expect(directory.endsWith(name)).toBe(true)
})

test.each([
  [
    'empty',
    '',
    'twotoken.yaml is empty, expected a mapping such as "mint:": create one with "npx twotoken init"',
  ],
  ['a comment only', '# nothing\n', 'twotoken.yaml is empty'],
  ['a list', '- a\n', 'twotoken.yaml contains a list, expected a mapping'],
  ['a word', 'mint\n', 'twotoken.yaml contains a single value, expected a mapping'],
  ['an open bracket', 'name: [a\n', 'twotoken.yaml:2:1: the line does not match the indentation'],
  ['a tab', 'mint:\n\turl: x\n', 'twotoken.yaml:2:1: the line is indented with a tab'],
  ['a key twice', 'name: a\nname: b\n', 'twotoken.yaml:2:1: the line repeats a key'],
  ['two documents', 'name: a\n---\nname: b\n', 'twotoken.yaml:2:1: the line begins a second document'],
  ['a nested colon', 'name: a: b\n', 'twotoken.yaml:1:7: the line contains a second ": "'],
  ['an unquoted variable in braces', `mint: { apiKey: \${KEY} }\n`, `write "\${NAME}" in quotes`],
  ['an unknown tag', 'name: !vault abc\n', 'twotoken.yaml:1:7: the line contains an unknown tag'],
  ['an alias of nothing', 'name: *other\n', 'twotoken.yaml contains an alias that cannot be resolved'],
  ['an endless alias', 'absent: &a [*a]\n', 'twotoken.yaml contains an alias that cannot be resolved'],
  ['bytes that are no UTF-8', Uint8Array.of(0x6e, 0xff, 0xfe), 'twotoken.yaml is not UTF-8 text'],
])('a file that is no configuration is refused when it holds %s', async (_, text, expected) => {
  const { code, message } = await complaint(text)
  expect(code).toBe('configuration')
  expect(message).toContain(expected)
  expect(message).not.toContain('\n')
})

test.each([
  ['absent.yaml', 'the file does not exist'],
  ['.', 'it is a folder'],
])('a file that is no configuration is refused when %s cannot be read', async (name, reason) => {
  await expect(loadConfiguration(join(import.meta.dirname, name), {})).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining(reason),
  })
})

test('a configuration made in memory is resolved like a file, relative to the folder given', async () => {
  const configuration = await resolveConfiguration(
    { name: undefined, tls: { ca: 'ca.pem' } },
    { directory: '/srv/acme', environment: { HTTPS_PROXY: 'http://proxy.example:3128' } },
  )
  expect(configuration).toMatchObject({
    name: 'acme',
    directory: '/srv/acme',
    limits: defaultLimits,
    tls: { ca: '/srv/acme/ca.pem' },
    proxy: { secure: 'http://proxy.example:3128', bypass: [] },
  })
})

test('a configuration made in memory is refused with paths alone', async () => {
  await expect(
    resolveConfiguration({ mint: { url: 'x' } }, { directory: '/', environment: {} }),
  ).rejects.toMatchObject({
    message: expect.stringMatching(
      /^2 problems in the configuration:\nmint\.url is .*\nmint\.apiKey is missing/,
    ),
  })
})

test('a configuration made in memory is refused when it is no mapping', async () => {
  await expect(resolveConfiguration(7, { directory: '/', environment: {} })).rejects.toMatchObject({
    message: 'the configuration is the number 7, expected a mapping: change it',
  })
})
