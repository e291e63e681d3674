import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'

test.each([60, 64, 76])('reports a key in base64 over lines of %i once, and whole', async (width) => {
  const text = `{"name":"calling","key":"${key}","more":"and some more text to go on with"}`
  const lines =
    Buffer.from(text)
      .toString('base64')
      .match(new RegExp(`.{1,${width}}`, 'g')) ?? []
  for (const end of ['\n', '\r\n', '\n    ']) {
    const { findings } = await auditFiles({ 'a.txt': lines.join(end) })
    expect(findings).toMatchObject([{ rule: 'AUD-006', length: key.length }])
  }
})

test('takes a word on the next line for no part of a key', async () => {
  const line = Buffer.from(`${'x'.repeat(6)}${key}`).toString('base64')
  const { findings } = await auditFiles({ 'a.txt': `${line}\nword` })
  expect(findings).toMatchObject([{ rule: 'AUD-006', length: key.length }])
})
