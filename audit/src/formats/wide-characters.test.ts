import { expect, test } from 'vitest'
import { auditInMemory } from '../engine/audit-in-memory.ts'
import { key } from '../testing/audit-files.ts'
import { buildElf, buildMachO } from '../testing/build-binary.ts'

function wide(text: string): Buffer {
  const bytes = Buffer.alloc(text.length * 4)
  for (const [at, char] of [...text].entries()) bytes.writeUInt32LE(char.charCodeAt(0), at * 4)
  return bytes
}

const data = (text: string) => Buffer.concat([Buffer.from('plain\0\0\0'), wide(`first\0${text}\0last\0`)])

const errorsOf = async (bytes: Buffer) =>
  (await auditInMemory({ location: 'a', name: 'liba.so', bytes })).findings.filter(
    ({ level }) => level === 'error',
  )

test.each([
  ['an ELF', (text: string) => buildElf([{ name: '.rodata', bytes: data(text) }])],
  ['a Mach-O', (text: string) => buildMachO([{ name: '__const', bytes: data(text) }])],
])('finds a key of wide characters in %s, to its exact end', async (_, build) => {
  for (const text of [key, `Authorization: Bearer ${key}`])
    expect(await errorsOf(build(text))).toMatchObject([{ decoder: 'utf-32', length: key.length }])
})

test('reads a key behind the last character of a text in UTF-16', async () => {
  const bytes = Buffer.concat([Buffer.from('name\0', 'utf16le'), wide(`${key}\0`)])
  const rodata = Buffer.concat([bytes.subarray(0, bytes.length % 4), bytes])
  expect(await errorsOf(buildElf([{ name: '.rodata', bytes: rodata }]))).toMatchObject([
    { decoder: 'utf-32', length: key.length },
  ])
})

test('reports no error for an identifier or a prefix of wide characters', async () => {
  for (const text of ['ac_live_', 'ac_live_room_player_title', 'ac_live_YOUR_API_KEY'])
    expect(await errorsOf(buildElf([{ name: '.rodata', bytes: data(text) }]))).toEqual([])
})
