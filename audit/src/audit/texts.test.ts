import { expect, test } from 'vitest'
import { key } from '../testing/audit-files.ts'
import { auditTexts } from './texts.ts'

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

test('the name of a text is not searched', async () => {
  expect(await auditTexts([{ name: `${key}.js`, bytes: Buffer.from('1') }])).toEqual([
    { findings: [], unread: null },
  ])
})
