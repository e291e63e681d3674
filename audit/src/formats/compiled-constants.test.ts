import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fingerprintOf } from '../model/fingerprint.ts'
import { auditFiles, key } from '../testing/audit-files.ts'

const samples = join(import.meta.dirname, 'samples')
const [first, second, third, fourth] = [
  'ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6D',
  'ac_live_7Hq2LmX9tR4vBn8Zk3Wc6P1s',
  'ac_live_5Jw3Rx8Kd1Vz6Pg9Tm2Qs7Bn',
  'ac_live_7Hq2LmX9tR4vBn8Zk3Wc6P1s',
] as const

test.each([
  ['python-3.8.pyc', [first, second]],
  ['python-3.13.pyc', [first, second, third]],
  ['assembly-script.wasm', [first, fourth]],
  [
    'python-lists.pyc',
    ['ac_live_b2VUFNBEzMKZEtH4ko3ice', 'ac_live_3tc9NjhA6d5RCgu4jfzJL1', 'ac_live_QBmBXXSiRq0IiW9mzqQ5la'],
  ],
  ['python-classes.pyc', ['ac_live_EuxnKBmzEAu7myXLDjcr4e']],
])('finds what the code of %s joins', async (name, keys) => {
  const { findings, gaps } = await auditFiles({ [name]: await readFile(join(samples, name)) })
  const errors = findings.filter(({ level }) => level === 'error')
  expect(errors.map(({ fingerprint }) => fingerprint).sort()).toEqual(keys.map(fingerprintOf).sort())
  expect(gaps).toEqual([])
})

/** Constants of a function: a type, a length that counts one more, and the text. */
const constants = (version: 0x53 | 0x54, texts: readonly string[]) =>
  Buffer.concat([
    Buffer.from([0x1b, 0x4c, 0x75, 0x61, version, 0, 0x19, 0x93, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...texts.map((text) =>
      Buffer.from(
        `\x04${String.fromCharCode((version === 0x54 ? 0x80 : 0) | (text.length + 1))}${text}`,
        'latin1',
      ),
    ),
    Buffer.from([0x80, 0, 0, 0]),
  ])

test.each([0x53, 0x54] as const)('finds what the code of Lua joins', async (version) => {
  const { findings } = await auditFiles({
    'app.luac': constants(version, ['string', 'format', '%s_%s_%s', 'ac', 'live', key.slice(8)]),
  })
  expect(findings).toMatchObject([{ rule: 'AUD-005', fingerprint: fingerprintOf(key) }])
})

test('says that the end of chunks behind a prefix is a guess', async () => {
  const chunks = [key.slice(0, 11), key.slice(11, 20), key.slice(20)]
  const { findings } = await auditFiles({ 'app.luac': constants(0x54, [...chunks, 'done']) })
  expect(findings.filter(({ level }) => level === 'error')).toMatchObject([
    { rule: 'AUD-005', fingerprint: fingerprintOf(key), extent: 'uncertain' },
  ])
})

test('a file of Python that is cut off is searched as bytes', async () => {
  const whole = await readFile(join(samples, 'python-3.13.pyc'))
  for (let size = 20; size < whole.length; size += 37) {
    const { gaps } = await auditFiles({ 'app.pyc': whole.subarray(0, size) })
    expect(gaps).toEqual([])
  }
})
