import { expect, test } from 'vitest'
import { auditInMemory } from '../engine/audit-in-memory.ts'
import { mintCalls, mintDecoys } from '../testing/mint-calls.ts'
import { formsOf } from '../testing/script-forms.ts'

async function callsIn(script: string, mintHost: string | undefined = 'api.acme.example') {
  const file = { location: 'a.js', name: 'a.js', bytes: Buffer.from(script) }
  const { findings, gaps } = await auditInMemory(file, mintHost === undefined ? {} : { mintHost })
  expect(gaps).toEqual([])
  return findings
    .filter(({ kind }) => kind === 'mint-call')
    .map(({ rule, level, shown }) => `${rule} ${level} ${shown}`)
}

const mint = 'AUD-020 error https://api.acme.example/api/v1/calling/token'

test.each(Object.entries(mintCalls))('%s: a call of the mint is found, minified too', async (_, module) => {
  for (const script of formsOf(module)) expect(await callsIn(script), script).toContain(mint)
})

test.each(Object.entries(mintDecoys))('%s: no call of the mint', async (_, module) => {
  for (const script of formsOf(module)) expect(await callsIn(script), script).toEqual([])
})

test('a path below another base is a warning, and below the page’s own a note', async () => {
  const client = (base: string) => `axios.create({ baseURL: '${base}' }).post('/calling/token')`
  expect(await callsIn(client('https://shop.example/api/v1'))).toEqual([
    'AUD-021 warning https://shop.example/api/v1/calling/token',
  ])
  expect(await callsIn(client('/api/v1'))).toEqual(['AUD-021 note /api/v1/calling/token'])
  expect(await callsIn(client('https://shop.example'))).toEqual([])
})

test('without a mint host, a call is a warning', async () => {
  const script = `axios.create({ baseURL: 'https://api.acme.example/api' }).post('v1/calling/token')`
  const file = { location: 'a.js', name: 'a.js', bytes: Buffer.from(script) }
  expect((await auditInMemory(file)).findings).toMatchObject([
    { rule: 'AUD-021', level: 'warning', shown: 'https://api.acme.example/api/v1/calling/token' },
  ])
})

test('a path that is shown to go elsewhere is not joined with the mint’s base', async () => {
  const sdk = `init({ baseUrl: 'https://api.acme.example' })`
  const own = `axios.create({ baseURL: 'https://shop.example' }).post('/api/v1/calling/token')`
  expect(await callsIn(`${sdk};${own}`)).not.toContain(mint)
  expect(await callsIn(`${sdk};fetch('/api/v1/calling/token')`)).not.toContain(mint)
  expect(await callsIn(`${sdk};unknown('/api/v1/calling/token')`)).toContain(mint)
})

test('each of two clients has its own base', async () => {
  const script = `class Api { constructor(base) { this.base = base } post(path) { return fetch(this.base + path) } }
    new Api('https://shop.example').post('/calling/token'); new Api('https://api.acme.example/api/v1').post('/rooms')`
  expect(await callsIn(script)).toEqual([])
  expect(await callsIn(script.replace('/rooms', '/calling/token'))).toEqual([mint])
})

test('the place of a call is where its path is given', async () => {
  const bytes = Buffer.from(
    `const c = axios.create({ baseURL: 'https://api.acme.example/api/v1' })\n\nc.post('calling/token')`,
  )
  const settings = { mintHost: 'api.acme.example' }
  const { findings } = await auditInMemory({ location: 'a.js', name: 'a.js', bytes }, settings)
  expect(findings).toMatchObject([{ line: 3, offset: bytes.indexOf("c.post('"), decoder: 'folded' }])
})

test('modules that export each other, or themselves, end', async () => {
  const modules = `({1:(e,t,n)=>{e.exports=n(2);fetch(n(1).a+'/calling/token')},2:(e,t,n)=>{e.exports=n(1)},
    3:(e,t,n)=>{e.exports=t;fetch(t.b+'/calling/token')}})`
  expect(await callsIn(modules)).toEqual([])
})
