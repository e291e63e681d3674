import { expect, test } from 'vitest'
import { auditFiles, auditInMemory } from '../testing/audit-files.ts'

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

const path = 'api/v1/calling/token'

/** Lists the mentions in a text, or in a program with these strings. */
async function seenIn(name: string, ...strings: readonly string[]): Promise<string[]> {
  const bytes = Buffer.from(name.endsWith('.txt') ? strings.join('\n') : `\0\u0001${strings.join('\0')}\0`)
  const { findings } = await auditInMemory({ location: name, name, bytes }, settings)
  return findings.map(({ rule, level, shown }) => `${rule} ${level} ${shown}`)
}

test.each([
  ['an address', 'https://api.acme.example/', 'https://api.acme.example'],
  ['an address with a part of the path', 'https://api.acme.example/app', 'https://api.acme.example'],
  ['a host alone', 'api.acme.example', 'api.acme.example'],
])('a path in a program with %s is a warning that says so', async (_, host, seen) => {
  expect(await seenIn('libapp.so', host, path)).toEqual([
    `AUD-021 warning /${path}, with ${seen} in the same file`,
  ])
})

test.each([
  ['the address of signaling', 'wss://api.acme.example/ws'],
  ['another host', 'https://shop.example/'],
  ['a longer host', 'api.acme.example.org'],
  ['a host below it', 'my.api.acme.example'],
  ['a mailbox', 'help@api.acme.example'],
])('a path in a program with %s is a note', async (_, text) => {
  expect(await seenIn('libapp.so', text, path)).toEqual([`AUD-021 note /${path}`])
})

test('a host alone counts in programs only', async () => {
  expect(await seenIn('a.txt', "connect-src 'self' api.acme.example", `/${path}`)).toEqual([
    `AUD-021 note /${path}`,
  ])
})

test('the host is found in UTF-16 as well', async () => {
  const bytes = Buffer.from(`\0https://api.acme.example\0\0${path}\0`, 'utf16le')
  const { findings } = await auditInMemory({ location: 'a.dll', name: 'a.dll', bytes }, settings)
  expect(findings).toMatchObject([{ rule: 'AUD-021', level: 'warning' }])
})

test.each(['Next string', 'application/json', 'r\u0001', '404 page not found'])(
  'finds the address of the mint where %j follows without a separator',
  async (behind) => {
    expect(await seenIn('app', `${url}${behind}`)).toEqual([`AUD-020 error ${url}`])
    expect(await seenIn('app', `https://other.example/xhttp2: ${url}${behind}`)).toHaveLength(1)
    expect(await seenIn('app', `https://other.example/firstWord${url}${behind}`)).toEqual([
      `AUD-020 error ${url}`,
    ])
  },
)

test.each([
  ['a text', 'a.txt', `${url}Next`],
  ['another route', 'app', `${url}s`],
  ['a longer route', 'app', `${url}/refresh`],
  ['a longer name', 'app', `${url}-refresh`],
  ['another host', 'app', 'https://shop.example/api/v1/calling/tokenNext'],
])('takes %s for no address of the mint', async (_, name, text) => {
  expect(await seenIn(name, text)).toEqual([])
})
