import { expect, test } from 'vitest'
import { auditFiles } from '../testing/audit-files.ts'

const settings = { mintHost: 'api.acme.example' }
const url = 'https://api.acme.example/api/v1/calling/token'

const mentions: Readonly<Record<string, readonly [name: string, text: string]>> = {
  'startsWith in a wrapper': [
    'a.js',
    `window.fetch = (u, o) => { if (String(u).startsWith("${url}")) throw 1; return real(u, o) }`,
  ],
  'a name that is only compared with': [
    'a.js',
    `const MINT = "${url}"; export const f = (u) => { if (u.startsWith(MINT)) throw 1; return fetch(u) }`,
  ],
  'a name that is put together, and only compared with': [
    'a.js',
    `const BASE = 'https://api.acme.example', MINT = BASE + '/api/v1/calling/token'; export const f = (u) => { if (u === MINT) throw 1; return fetch(u) }`,
  ],
  'a template that is compared with': [
    'a.js',
    `const BASE = "https://api.acme.example"; export const f = (u) => { if (u.startsWith(\`\${BASE}/api/v1/calling/token\`)) throw 1; return fetch(u) }`,
  ],
  'a list that is asked': [
    'a.js',
    `const blocked = ["https://api.acme.example/x", "${url}"]; on('fetch', (e) => { if (blocked.includes(e.url)) e.stop() })`,
  ],
  'an equation in either direction': [
    'a.js',
    `export const is = (u) => u === '${url}' || '${url}' === u.href`,
  ],
  'an interceptor with the mint as its base': [
    'a.js',
    `const c = axios.create({ baseURL: 'https://api.acme.example' }); c.interceptors.request.use((x) => { if (x.url.startsWith('/api/v1/calling/token')) throw 1; return x }); c.get('/api/v1/rooms')`,
  ],
  'a label of a switch': ['a.js', `switch (u.href) { case '${url}': throw 1; }`],
  'a comment': ['a.js', `// ${url} is for servers\n/**\n * @see ${url}\n */\nexport {}`],
  'a sentence in a string': ['a.js', `throw new Error("Never call ${url} from an app.")`],
  'documentation with a command': ['README.md', `\`\`\`\ncurl -X POST ${url}\n\`\`\``],
  'a sentence in a text': ['a.txt', `The server mints at ${url} and passes the token on.`],
  'a page': [
    'a.html',
    `<!doctype html><p>Only your backend may call ${url} with a key.</p><code>POST ${url}</code>`,
  ],
}

test.each(Object.entries(mentions))('takes %s for no call', async (_, [name, text]) => {
  const { findings } = await auditFiles({ [name]: text }, settings)
  expect(findings.length).toBeGreaterThan(0)
  expect(findings.filter(({ level }) => level === 'error')).toEqual([])
})

const calls: Readonly<Record<string, readonly [name: string, text: string]>> = {
  'a call beside a comparison': [
    'a.js',
    `if (u.startsWith("${url}")) log(); fetch("https://api.acme.example" + "/api/v1/calling/token")`,
  ],
  'a name that is compared with and called': [
    'a.js',
    `const MINT = "${url}"; if (u === MINT) log(); fetch(MINT)`,
  ],
  'a name that others may import': ['a.js', `export const MINT = "${url}"; if (u === MINT) log()`],
  'a choice': ['a.js', `fetch(a === "b" ? "${url}" : "/x")`],
  'a command of a script': ['a.sh', `#!/bin/sh\n# asks the mint for a token\ncurl -X POST ${url} -d x`],
  'a configuration': ['a.yaml', `mint:\n  url: ${url}\n`],
  'a line behind a licence': ['a.js', `/*! a licence of the app */(()=>{fetch("${url}")})()`],
  'a page with a script': ['a.html', `<!doctype html><script>fetch("${url}")</script>`],
}

test.each(Object.entries(calls))('takes %s for a call', async (_, [name, text]) => {
  const { findings } = await auditFiles({ [name]: text }, settings)
  expect(findings.filter(({ level }) => level === 'error')).toMatchObject([{ rule: 'AUD-020' }])
})

test('takes no words of a neighbouring string for a sentence', async () => {
  const packed = Buffer.concat([
    Buffer.from('\x7fELF\0\0\0\0'),
    Buffer.from(`could not read the answer of ${url} the body ended early`),
  ])
  const { findings } = await auditFiles({ 'lib.so': packed }, settings)
  expect(findings.map(({ rule }) => rule)).toEqual(['AUD-020'])
})

test('looks for the uses of ten thousand names no longer than the limits allow', async () => {
  const text = Array.from({ length: 10_000 }, (_, at) => `const a${at} = "${url}"; b === a${at};`).join('\n')
  const start = process.cpuUsage()
  const { findings } = await auditFiles({ 'a.js': text }, settings)
  const { user } = process.cpuUsage(start)
  expect(findings).not.toEqual([])
  expect(user / 1e6).toBeLessThan(10)
})
