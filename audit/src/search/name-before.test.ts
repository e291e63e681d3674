import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'

test.each<readonly [name: string, file: string, text: string]>([
  ['VITE_CALLING_KEY', 'a.js', `const e={VITE_CALLING_KEY:"${key}",MODE:"production"}`],
  ['CALLING_KEY', 'eval.js', `eval("const env = {\\"CALLING_KEY\\": \\"${key}\\"}")`],
  ['callingKey', 'config.json', `{"callingKey": "${key}"}`],
  ['calling.key', 'a.properties', `calling.key=${key}\n`],
  ['CALLING_KEY', 'secret.yaml', `data:\n  CALLING_KEY: ${Buffer.from(key).toString('base64')}\n`],
  ['calling_key', 'strings.xml', `<resources><string name="calling_key">${key}</string></resources>`],
  [
    'CallingKey',
    'Info.plist',
    `<plist><dict><key>CallingKey</key>\n\t<string>${key}</string></dict></plist>`,
  ],
  ['callingKey', 'b.js', `const callingKey = "ac_" + "live_" + "${key.slice(8)}"; use(callingKey)`],
])('names a value %s in %s', async (name, file, text) => {
  const { findings } = await auditFiles({ [file]: text })
  expect(findings).toMatchObject([
    { level: 'error', name, shown: `${name}: ac_live_… (${key.length} characters)` },
  ])
})

test('shows no secret that is a name', async () => {
  const { findings } = await auditFiles({ 'a.json': `{"${key}": "${key}"}` })
  expect(JSON.stringify(findings)).not.toContain(key.slice(8, 14))
})

test('takes neither the end of a comment nor a quote for a part of a key', async () => {
  const { findings } = await auditFiles({ 'a.html': `<p><!-- ${key}--></p>`, 'a.txt': `'${key}''` })
  expect(findings).toMatchObject([{ length: key.length, also: ['dist/a.txt'] }])
})
