import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { auditFiles } from '../testing/audit-files.ts'

const sample = (name: string) => readFile(join(import.meta.dirname, '../formats/samples', name))
const classes = async () =>
  Object.entries(unzipSync(await sample('enums.jar'))).map(
    ([name, bytes]) => [name, Buffer.from(bytes)] as const,
  )
const dex = async () => [['classes.dex', await sample('enums.dex')] as const]

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

test.each([
  ['classes', classes],
  ['DEX code', dex],
] as const)(
  'finds the keys that a value of an enum and an object of a sealed class begin, and no names (%s)',
  async (_, read) => {
    const files = await read()
    const { findings, gaps } = await auditFiles(Object.fromEntries(files))
    const made = findings.filter(({ level }) => level === 'error')
    expect(made.map(({ rule, length }) => [rule, length])).toEqual([
      ['AUD-005', 30],
      ['AUD-005', 30],
    ])
    expect(gaps).toEqual([])
    const names = await auditFiles(Object.fromEntries(files.map(([name, bytes]) => [name, asName(bytes)])))
    expect(names.findings.filter(({ level }) => level === 'error')).toEqual([])
  },
)
