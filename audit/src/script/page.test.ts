import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'

const tail = key.slice(8)
const sum = `'ac_' + 'live_' + '${tail}'`
const page = (body: string) => `<!doctype html><html><body>${body}</body></html>`

const files: Readonly<Record<string, readonly [name: string, text: string]>> = {
  'a handler': ['a.html', page(`<p onclick="go(${sum})"></p>`)],
}

test.each(Object.entries(files))('finds a key in %s', async (_, [name, text]) => {
  const { findings } = await auditFiles({ [name]: text })
  expect(findings).toMatchObject([{ level: 'error', length: key.length }])
})

test.each<readonly [string, string, string]>([
  ['a name in a handler', 'a.html', page(`<p onclick="go('ac_'+'live_room_title')"></p>`)],
  ['words in several elements', 'a.html', page('<b>ac_live_</b><i>room</i><b>ac_</b><i>live_</i> now')],
])('takes %s for no key', async (_, name, text) => {
  const { findings } = await auditFiles({ [name]: text })
  expect(findings.filter(({ level }) => level === 'error')).toEqual([])
})
