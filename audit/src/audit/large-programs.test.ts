import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'
import { buildElf, buildMachO } from '../testing/build-binary.ts'

const limits = { wholeBytes: 64 * 1024 }
const filler = `${'other text\0'.repeat(1000)}`
/** A program over the limit with a text somewhere in it. */
const program = (text: string) =>
  buildElf([
    {
      name: '.rodata',
      bytes: Buffer.concat([Buffer.from(filler.repeat(20)), Buffer.from(text), Buffer.from(filler)]),
    },
  ])
const audited = (text: string) => auditFiles({ program: program(text) }, { limits })

test('a program too large to be read whole is no gap', async () => {
  const { findings, gaps } = await audited('\0live\0%s_%s_\0aac_latm\0')
  expect([findings, gaps]).toEqual([[], []])
})

test('a key in a program too large to be read whole is found', async () => {
  const { findings } = await audited(`\0${key}\0`)
  expect(findings.map(({ level, length }) => [level, length])).toEqual([['error', key.length]])
})

test.each([
  ['a clean one', 0, []],
  ['an encrypted one', 1, ['AUD-093']],
])(
  'a large Mach-O is a gap where its headers tell that it is encrypted: %s',
  async (_, cryptid, expected) => {
    const macho = buildMachO([{ name: '__cstring', bytes: Buffer.from(filler.repeat(20)) }], { cryptid })
    const { findings, gaps } = await auditFiles({ program: macho }, { limits })
    expect([findings, gaps.map(({ rule }) => rule)]).toEqual([[], expected])
  },
)
