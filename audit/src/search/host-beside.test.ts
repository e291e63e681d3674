import { expect, test } from 'vitest'
import { auditInMemory } from '../audit/in-memory.ts'

const path = 'api/v1/calling/token'

async function seenIn(name: string, ...strings: readonly string[]): Promise<string[]> {
  const bytes = Buffer.from(name.endsWith('.txt') ? strings.join('\n') : `\0${strings.join('\0')}\0`)
  const settings = { mintHost: 'api.acme.example' }
  const { findings } = await auditInMemory({ location: name, name, bytes }, settings)
  return findings.map(({ rule, level, shown }) => `${rule} ${level} ${shown}`)
}

test.each([
  ['an address', 'https://api.acme.example/', 'https://api.acme.example'],
  ['an address with a part of the path', 'https://api.acme.example/app', 'https://api.acme.example'],
  ['a host of its own', 'api.acme.example', 'api.acme.example'],
])('a path in a program with %s is a warning that says so', async (_, host, seen) => {
  expect(await seenIn('libapp.so', host, path)).toEqual([
    `AUD-021 warning /${path}, with ${seen} in the same file`,
  ])
})

test.each([
  ['the address of signaling', 'wss://api.acme.example/ws'],
  ['another host', 'https://shop.example/'],
  ['a longer host', 'api.acme.example.org'],
  ['a host below it', 'my.api.acme.example'],
  ['a mailbox', 'help@api.acme.example'],
])('a path in a program with %s is a note', async (_, text) => {
  expect(await seenIn('libapp.so', text, path)).toEqual([`AUD-021 note /${path}`])
})

test('a host alone counts in programs only', async () => {
  expect(await seenIn('a.txt', "connect-src 'self' api.acme.example", `/${path}`)).toEqual([
    `AUD-021 note /${path}`,
  ])
})

test('the host is found in UTF-16 as well', async () => {
  const bytes = Buffer.from(`\0https://api.acme.example\0\0${path}\0`, 'utf16le')
  const settings = { mintHost: 'api.acme.example' }
  const { findings } = await auditInMemory({ location: 'a.dll', name: 'a.dll', bytes }, settings)
  expect(findings).toMatchObject([{ rule: 'AUD-021', level: 'warning' }])
})
