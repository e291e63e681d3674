import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'

test('takes classes of CSS modules and names of hashed files for identifiers', async () => {
  const { findings } = await auditFiles({
    'app.css': `.ac_live_root__a8Fk2Q { background: url(/a/ac_live_badge.3f9a1c2b.png) }
      .ac_live_badge__label--active__3kZ9x { background: url("ac_live_badge-5d41402abc4b2a76b9719d911017c592.svg") }`,
    'app.js': `export const a = 'ac_live_stream_1080p60_h265_hdr10', b = 'ac_live_session_550e8400-e29b-41d4-a716-446655440000'
      export const c = "ac_live_20260117T093012Z", d = "ac_live_Player_liveBadge__2Jk9s"`,
    'ac_live_icon-DZ7kq0Pm.js': '',
  })
  expect(findings.map(({ rule, level }) => `${level} ${rule}`)).toEqual(Array(9).fill('note AUD-003'))
})

test.each([`${key}.png`, '{"image":"ac_live_7f3a91c04e2b86d5.png"}', `.${key} { color: red }`])(
  'still finds the key in %s',
  async (text) => {
    const { findings } = await auditFiles({ 'app.txt': text })
    expect(findings).toMatchObject([{ rule: 'AUD-001', level: 'error' }])
  },
)

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
