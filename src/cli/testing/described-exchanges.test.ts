import { expect, test } from 'vitest'
import { exampleJwt } from '../../../contracts/consumers/contract.ts'
import { mismatch, readOpenApi } from './described-exchanges.ts'

test('a body, a status and a request that do not fit are told', async () => {
  const openapi = await readOpenApi()
  const path = '/calling/token'
  const told = (method: string, status: number, body: string, sent = '{}', at = path) =>
    mismatch(openapi, at, {
      id: 'x-1',
      kind: 'http',
      from: 'suite',
      to: 'backend',
      at: 0,
      durationMs: 1,
      request: { method, url: `https://backend.example${at}`, headers: [], body: sent },
      response: { status, statusText: '', headers: [['content-type', 'application/json']], body },
    })
  const token = JSON.stringify({ token: exampleJwt })
  expect(told('POST', 200, token)).toBe(null)
  expect(told('POST', 200, '{"token":"no JWT"}')).toContain('the body of 200')
  expect(told('POST', 401, '{"message":"sign in"}')).toContain('the body of 401')
  expect(told('POST', 206, token)).toContain('206 is not described')
  expect(told('DELETE', 200, token)).toContain('delete /calling/token is not described')
  expect(told('POST', 200, token, '{"ttlSeconds":60}', '/api/v1/calling/token')).toContain('was served')
})
