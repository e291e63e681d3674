import { expect, test } from 'vitest'
import { serveJson } from '../../base/http/serve-json.ts'
import { key, load, mint } from '../../configuration/testing/load.ts'
import { createLogs } from '../../roles/flow/logs.ts'
import { fillEnvironment } from './describe-stack.ts'
import { createOutputQuote } from './quote-output.ts'

const placeholders = {
  mintUrl: 'http://mint',
  apiKey: 'the key',
  jwksUrl: 'http://mint/keys',
  mintKeys: '{}',
  sessions: '{"alice":"s"}',
}

test('the configuration wins over what is given, and asks for it under names of its own', () => {
  const wanted = { PORT: '81', CALLING: '{mintUrl}/v1 with {apiKey}', JSON: '{"a":{}, "b": {mine}}' }
  expect(fillEnvironment({ PORT: '80', MINT_URL: 'http://mint' }, wanted, placeholders)).toEqual({
    PORT: '81',
    MINT_URL: 'http://mint',
    CALLING: 'http://mint/v1 with the key',
    JSON: '{"a":{}, "b": {mine}}',
  })
})

test('does not expand placeholders inside a filled-in value', () => {
  expect(fillEnvironment({}, { KEYS: '{mintKeys}' }, { ...placeholders, mintKeys: '{apiKey}' })).toEqual({
    KEYS: '{apiKey}',
  })
})

const configuration = await load(mint(''), { KEY: key })
const quote = createOutputQuote(configuration)

test.each([
  "KeyError: 'ZORBLAX_DB_DSN'",
  'environment variable QUUX_2_TOKEN is not set',
  "Error: Cannot find module 'lodash.frobnicate'",
  "ModuleNotFoundError: No module named 'quuxlib.wsgi'",
  'src/index.ts(12,5): error TS7016: Could not find a declaration file for module',
  '/root/.pyenv/versions/3.11.4/lib/python3.11/site-packages',
  'connect ECONNREFUSED 127.0.0.1:5432',
])('the last lines of a program name what it misses: %s', (line) => {
  expect(quote(`some line\n${line}\n`)).toContain(`\n  | ${line}`)
})

test('they show no key, and nothing that is not known', () => {
  const quoted = quote(`no database for ${key}, password q8Zk3vWmX2pL, Q8ZK3VWMX2PL_Q8ZK3VWMX2PL\n`)
  expect(quoted).toMatch(/no database for ‹api-key, \d+ characters, #\w+›, password ‹12 characters #\w+›, ‹/)
  expect(quoted).not.toMatch(/q8Zk/i)
})

test('logs of started parts reach the process that judges, and no other path is served', async () => {
  const text = 'line one\nline two'
  await using served = await serveJson(() => [{ name: 'mint', text }])
  const logs = createLogs(['/no/such/file.log'], served.url)
  expect(await logs?.read()).toEqual([
    { name: 'file.log', text: '' },
    { name: 'mint', text },
  ])
  expect((await fetch(new URL('/', served.url))).status).toBe(404)
})
