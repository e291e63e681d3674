import { expect, test } from 'vitest'
import { key } from '../testing/audit-files.ts'
import { hostileFile, hostileProgram } from '../threads/testing/hostile-files.ts'
import { auditTexts } from './audit-texts.ts'

const secret = { name: 'script.js', bytes: Buffer.from(`const key = "${key}"`) }

test('each text has its own findings, also where two are the same', async () => {
  const audited = await auditTexts([secret, { name: 'text.txt', bytes: Buffer.from('nothing') }, secret])
  expect(audited.map(({ findings }) => findings.map(({ kind, line }) => `${kind} ${line}`))).toEqual([
    ['key 1'],
    [],
    ['key 1'],
  ])
  expect(audited.map(({ unread }) => unread)).toEqual([null, null, null])
})

test('a text whose reader would never end is not read whole, and all others are', async () => {
  const never = { name: 'page.bin', bytes: hostileFile('loop') }
  const audited = await auditTexts([secret, never, secret], { limits: { fileSeconds: 1 } }, hostileProgram)
  expect(audited.map(({ findings }) => findings.length)).toEqual([1, 1, 1])
  expect(audited.map(({ unread }) => unread)).toEqual([
    null,
    'reading it takes longer than 1 s: read as raw bytes',
    null,
  ])
})

test('the name of a text is not searched', async () => {
  expect(await auditTexts([{ name: `${key}.js`, bytes: Buffer.from('1') }])).toEqual([
    { findings: [], unread: null },
  ])
})
