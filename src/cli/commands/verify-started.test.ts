import { execPath } from 'node:process'
import { expect, test } from 'vitest'
import { findFreePort } from '../../run/provision/engine/local-address.ts'
import { runVerify } from '../testing/run-verify.ts'

/** A mint that makes its key when it starts, so that the key can be printed only then. */
const mint = (port: number) => `
const key = 'ac_live_' + require('crypto').randomBytes(20).toString('hex')
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
require('fs').writeFileSync('key', key)
require('http').createServer((request, response) => {
  const isKnown = request.headers.authorization === 'Bearer ' + key
  const now = Math.floor(Date.now() / 1000)
  const token = part({ alg: 'HS256' }) + '.' + part({ sub: 'u', iat: now, exp: now + 900 }) + '.c2lnbmF0dXJl'
  request.resume().on('end', () => {
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isKnown ? { token } : { error: 'unknown key' }))
  })
}).listen(${port})`

async function verifyStarted(command: (port: number) => string, options: { url?: string } = {}) {
  const port = await findFreePort('127.0.0.1')
  return await runVerify(
    { role: 'mint', ...options },
    {
      mint: { url: `http://127.0.0.1:${port}`, apiKey: { command: 'cat key' } },
      start: { command: command(port) },
    },
  )
}

test('starts the provider before it asks for the credentials, and ends it', async () => {
  const { verdicts, sentence } = await verifyStarted(
    (port) => `${execPath} -e ${JSON.stringify(mint(port).trim().replaceAll('\n', '; '))}`,
  )
  expect(sentence).toBe('')
  expect(verdicts).toMatchObject({ 'PACT-MINT-01': 'pass' })
})

test('says why the provider did not start', async () => {
  const { exitCode, sentence } = await verifyStarted(() => 'exit 7')
  expect(sentence).toContain('start.command exited with code 7')
  expect(exitCode).toBe(2)
})

test('starts nothing for a provider at another address', async () => {
  const { exitCode, sentence } = await verifyStarted(() => 'exit 7', { url: 'http://127.0.0.1:9' })
  expect(sentence).not.toContain('start.command')
  expect(exitCode).toBe(2)
})
