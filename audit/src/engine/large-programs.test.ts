import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'
import { buildElf, buildMachO } from '../testing/build-binary.ts'

const limits = { wholeBytes: 64 * 1024 }
const filler = `${'other text\0'.repeat(1000)}`
/** A program over the limit with a text somewhere in it. */
const program = (text: string | Buffer) =>
  buildElf([
    {
      name: '.rodata',
      bytes: Buffer.concat([Buffer.from(filler.repeat(20)), Buffer.from(text), Buffer.from(filler)]),
    },
  ])
const audited = (text: string | Buffer) => auditFiles({ program: program(text) }, { limits })
const wide = Buffer.from([...Buffer.from('ac_live_')].flatMap((code) => [code, 0, 0, 0]))

test('a program too large to be read whole is no gap where only its format could tell nothing', async () => {
  const { findings, gaps } = await audited('\0live\0%s_%s_\0aac_latm\0')
  expect([findings, gaps]).toEqual([[], []])
})

test.each<[string, string | Buffer]>([
  ['the beginning of a prefix', '\0ac_liv\0'],
  ['its first word', '\0ac\0'],
  ['its first word in a format', '\0ac_%s_\0'],
  ['a prefix of wide characters', wide],
])('a program too large to be read whole is a gap where it has %s', async (_, text) => {
  const { gaps } = await audited(text)
  expect(gaps.map(({ rule }) => rule)).toEqual(['AUD-093'])
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
