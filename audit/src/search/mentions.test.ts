import { expect, test } from 'vitest'
import { auditFiles } from '../testing/audit-files.ts'

const settings = { mintHost: 'api.acme.example' }
const url = 'https://api.acme.example/api/v1/calling/token'

/** A script, or another file by its name. */
type Written = string | readonly [name: string, text: string]

async function findingsIn(written: Written) {
  const [name, text] = typeof written === 'string' ? ['a.js', written] : written
  const { findings } = await auditFiles({ [name]: text }, settings)
  return { findings, errors: findings.filter(({ level }) => level === 'error') }
}

const mentions: Readonly<Record<string, Written>> = {
  'startsWith in a wrapper': `window.fetch = (u, o) => { if (String(u).startsWith("${url}")) throw 1; return real(u, o) }`,
  'a name that is only compared with': `const MINT = "${url}"; export const f = (u) => { if (u.startsWith(MINT)) throw 1; return fetch(u) }`,
  'a name that is put together, and only compared with': `const BASE = 'https://api.acme.example', MINT = BASE + '/api/v1/calling/token'; export const f = (u) => { if (u === MINT) throw 1; return fetch(u) }`,
  'a template that is compared with': `const BASE = "https://api.acme.example"; export const f = (u) => { if (u.startsWith(\`\${BASE}/api/v1/calling/token\`)) throw 1; return fetch(u) }`,
  'a list that is asked': `const blocked = ["https://api.acme.example/x", "${url}"]; on('fetch', (e) => { if (blocked.includes(e.url)) e.stop() })`,
  'an equation in either direction': `export const is = (u) => u === '${url}' || '${url}' === u.href`,
  'an interceptor with the mint as its base': `const c = axios.create({ baseURL: 'https://api.acme.example' }); c.interceptors.request.use((x) => { if (x.url.startsWith('/api/v1/calling/token')) throw 1; return x }); c.get('/api/v1/rooms')`,
  'a label of a switch': `switch (u.href) { case '${url}': throw 1; }`,
  'a comment': `// ${url} is for servers\n/**\n * @see ${url}\n */\nexport {}`,
  'a sentence in a string': `throw new Error("Never call ${url} from an app.")`,
  'documentation with a command': ['README.md', `\`\`\`\ncurl -X POST ${url}\n\`\`\``],
  'a sentence in a text': ['a.txt', `The server mints at ${url} and passes the token on.`],
  'a page': [
    'a.html',
    `<!doctype html><p>Only your backend may call ${url} with a key.</p><code>POST ${url}</code>`,
  ],
}

test.each(Object.entries(mentions))('takes %s for no call', async (_, written) => {
  const { findings, errors } = await findingsIn(written)
  expect(findings.length).toBeGreaterThan(0)
  expect(errors).toEqual([])
})

const calls: Readonly<Record<string, Written>> = {
  'a call beside a comparison': `if (u.startsWith("${url}")) log(); fetch("https://api.acme.example" + "/api/v1/calling/token")`,
  'a name that is compared with and called': `const MINT = "${url}"; if (u === MINT) log(); fetch(MINT)`,
  'a name that others may import': `export const MINT = "${url}"; if (u === MINT) log()`,
  'a choice': `fetch(a === "b" ? "${url}" : "/x")`,
  'a command of a script': ['a.sh', `#!/bin/sh\n# asks the mint for a token\ncurl -X POST ${url} -d x`],
  'a configuration': ['a.yaml', `mint:\n  url: ${url}\n`],
  'a line behind a licence': `/*! a licence of the app */(()=>{fetch("${url}")})()`,
  'a page with a script': ['a.html', `<!doctype html><script>fetch("${url}")</script>`],
}

test.each(Object.entries(calls))('takes %s for a call', async (_, written) => {
  expect((await findingsIn(written)).errors).toMatchObject([{ rule: 'AUD-020' }])
})

test('takes no words of a neighbouring string for a sentence', async () => {
  const packed = Buffer.concat([
    Buffer.from('\x7fELF\0\0\0\0'),
    Buffer.from(`could not read the answer of ${url} the body ended early`),
  ])
  const { findings } = await auditFiles({ 'lib.so': packed }, settings)
  expect(findings.map(({ rule }) => rule)).toEqual(['AUD-020'])
})

test('looks for the uses of names whose number squared is beyond reach', async () => {
  const text = Array.from({ length: 100_000 }, (_, at) => `const a${at} = "${url}"; b === a${at};`).join('\n')
  expect((await auditFiles({ 'a.js': text }, settings)).findings).not.toEqual([])
})
