import { expect, test } from 'vitest'
import { containerFormats } from '../../../src/containers/registry.ts'
import { auditedFormats } from '../../../src/formats/registry.ts'
import { costlyFormats } from '../../../src/testing/costly/formats.ts'
import { faultOfLie } from './fault-of-lie.ts'
import { liesAbout, told } from './lies.ts'
import { truthfulFiles } from './samples.ts'

test('lies are told about every container that is opened, and every binary format', () => {
  const opened = containerFormats.filter(({ opens }) => opens !== 'gap').map(({ name }) => name)
  const binary = auditedFormats.map(({ name }) => name).filter((name) => name in costlyFormats)
  const wanted = [...opened, ...binary].filter((name) => name !== 'binary')
  expect(wanted.filter((name) => truthfulFiles[name] === undefined)).toEqual([])
})

test.each(Object.entries(truthfulFiles))('the truth about %s is no lie', async (_, files) => {
  for (const file of files()) expect(await faultOfLie(file, { at: 0, bytes: Buffer.alloc(0) })).toBeNull()
})

test('a key that is whole, and neither found nor in a gap, is a fault', async () => {
  const bytes = Buffer.from('there is no key')
  const file = { name: 'a.txt', bytes, key: 'ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6D', kept: [[0, 5] as const] }
  expect(await faultOfLie(file, { at: 5, bytes: Buffer.from('!') })).toMatch(/^silent/)
  expect(await faultOfLie(file, { at: 4, bytes: Buffer.from('!') })).toBeNull()
})

/** Lies that made of the key a part of a longer one: a longer row of the table, and operands of other code. */
const longer: Readonly<Record<string, readonly (readonly [at: number, hex: string])[]>> = {
  'v96.hbc': [
    [199, '80'],
    [2419, '01'],
    [2512, '0100'],
  ],
  'v99.hbc': [
    [191, '80'],
    [2339, '01'],
    [2507, '01'],
  ],
}

test('a key that is a row of a table is found, whatever a lie puts before or behind it', async () => {
  for (const file of truthfulFiles['hermes']?.() ?? [])
    for (const [at, hex] of longer[file.name] ?? [])
      expect(await faultOfLie(file, { at, bytes: Buffer.from(hex, 'hex') }), `${file.name} ${at}`).toBeNull()
  expect.assertions(6)
})

test('each word becomes nothing, its own offset, and a place behind the end, in both orders', () => {
  const file = Buffer.from('0102030405060708090a0b0c', 'hex')
  const copies = [...liesAbout(file)]
    .filter(({ at }) => at === 4)
    .map((lie) => told(lie, file).toString('hex'))
  for (const word of ['00000000', '04000000', '00000004', '0d000000', 'ffffff7f', '7fffffff'])
    expect(copies).toContain(`01020304${word}090a0b0c`)
  expect(new Set(copies).size).toBe(copies.length)
})
