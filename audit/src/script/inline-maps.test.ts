import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'

const map = (source: string) =>
  Buffer.from(
    JSON.stringify({ version: 3, sources: ['src/a.ts'], mappings: '', sourcesContent: [source] }),
  ).toString('base64')
const other = map('let a')
const leaking = map(`const filler = 'xx'\nuse("ac_" + "live_" + "${key.slice(8)}")`)
const comment = (type: string, data: string) => `//# sourceMappingURL=data:${type},${data}`

test.each([
  ['at the end of a script', 'a.js', `f()\n${comment('application/json;base64', leaking)}`],
  ['with a character set', 'a.js', `f()\n${comment('application/json;charset=utf-8;base64', leaking)}\n`],
  [
    'behind another one',
    'a.js',
    [comment('application/json;base64', other), 'f()', comment('application/json;base64', leaking)].join(
      '\n',
    ),
  ],
  [
    'behind some that are none',
    'a.js',
    `write("//# sourceMappingURL=data:application/json" + type); ${comment('application/json', '{}')}\n${comment('application/json;base64', leaking)}`,
  ],
  [
    'in a page',
    'a.html',
    `<html><script>f()\n${comment('application/json;base64', leaking)}</script></html>`,
  ],
])('reads a source map %s', async (_, name, content) => {
  const { findings } = await auditFiles({ [name]: content })
  expect(findings.filter(({ rule }) => rule === 'AUD-005')).toMatchObject([
    { location: `dist/${name}!src/a.ts`, line: 2 },
  ])
  expect(findings.some(({ rule }) => rule === 'AUD-030')).toBe(true)
})

test('takes a comment without a map for none', async () => {
  const { gaps, findings } = await auditFiles({
    'a.js': `const end = "\\n${comment('application/json;charset=utf-8;base64', '')}".concat(btoa(map), " */")`,
  })
  expect({ gaps, findings }).toEqual({ gaps: [], findings: [] })
})

const page = (body: string) => `<!doctype html><html><body>${body}</body></html>`

test('finds a key in a handler', async () => {
  const { findings } = await auditFiles({
    'a.html': page(`<p onclick="go('ac_' + 'live_' + '${key.slice(8)}')"></p>`),
  })
  expect(findings).toMatchObject([{ level: 'error', length: key.length }])
})

test.each([
  ['a name in a handler', `<p onclick="go('ac_'+'live_room_title')"></p>`],
  ['words in several elements', '<b>ac_live_</b><i>room</i><b>ac_</b><i>live_</i> now'],
])('takes %s for no key', async (_, body) => {
  const { findings } = await auditFiles({ 'a.html': page(body) })
  expect(findings.filter(({ level }) => level === 'error')).toEqual([])
})
