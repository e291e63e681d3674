import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { auditFiles } from '../testing/audit-files.ts'

const sample = (name: string) => readFile(join(import.meta.dirname, '../formats/samples', name))
const classes = async (name: string) =>
  Object.entries(unzipSync(await sample(`${name}.jar`))).map(
    ([file, bytes]) => [file, Buffer.from(bytes)] as const,
  )
const dex = async (name: string) => [['classes.dex', await sample(`${name}.dex`)] as const]

/** Puts words of the same length in the place of what makes a text a key. */
const asName = (bytes: Buffer) =>
  Buffer.from(
    bytes
      .toString('latin1')
      .replaceAll(/[0-9A-Za-z]{22,40}(?=[^/;\w])/g, (tail) =>
        /\d/.test(tail) && /[A-Z]/.test(tail)
          ? 'room_settings_title_of_the_lobby'.slice(0, tail.length)
          : tail,
      ),
    'latin1',
  )

const ofEnums = 'a value of an enum and an object of a sealed class begin'
const ofCollections = 'collections put in order, grow with their class, or are made of characters'

test.each([
  [ofEnums, 'classes', classes, 'enums', 2],
  [ofEnums, 'DEX code', dex, 'enums', 2],
  [ofCollections, 'classes', classes, 'collections', 4],
  [ofCollections, 'DEX code', dex, 'collections', 4],
] as const)('finds the keys that %s, and no names (%s)', async (_, __, read, name, count) => {
  const files = await read(name)
  const { findings, gaps } = await auditFiles(Object.fromEntries(files))
  const made = findings.filter(({ level }) => level === 'error')
  expect(made.map(({ rule, length }) => [rule, length])).toEqual(
    Array.from({ length: count }, () => ['AUD-005', 30]),
  )
  expect(gaps).toEqual([])
  const names = await auditFiles(Object.fromEntries(files.map(([file, bytes]) => [file, asName(bytes)])))
  expect(names.findings.filter(({ level }) => level === 'error')).toEqual([])
})

const spelled = 'made character by character, from others, under a mask, or with a separator too many'
const gathered =
  'gathered by lambdas, lazy values, inherited fields, lists in order, or characters beside a word'
const held = 'given by queues, buffers, readers, matchers, ranges, and other objects of the platform'
const structured = 'given by stacks, sorted dictionaries, tuples, and tables under a word'
const trimmed = 'cut out of a text with more at its ends'

test.each([
  [spelled, 'classes', 'spelled.jar', 6],
  [spelled, 'DEX code', 'spelled.dex', 6],
  [gathered, 'classes', 'gathered.jar', 25],
  [gathered, 'DEX code', 'gathered.dex', 20],
  [trimmed, '.NET', 'trimmed.exe', 3],
  [held, 'classes', 'objects.jar', 23],
  [held, 'DEX code', 'objects.dex', 19],
  [structured, '.NET', 'structures.exe', 5],
] as const)('finds the keys that are %s, to their exact ends (%s)', async (_, __, name, count) => {
  const { findings, gaps } = await auditFiles({ [name]: await sample(name) })
  const errors = findings.filter(({ level }) => level === 'error')
  expect(errors.map(({ length }) => length)).toEqual(Array.from({ length: count }, () => 30))
  expect(gaps).toEqual([])
})

test('a class with the tables of a parser, and 400 rules that cost much, is read without a gap', async () => {
  const { findings, gaps } = await auditFiles({ 'tables.jar': await sample('tables.jar') })
  expect({ findings, gaps }).toEqual({ findings: [], gaps: [] })
})
