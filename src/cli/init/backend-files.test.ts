import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startListening } from '../../base/http/listening.ts'
import { renderLogin } from './backend-files.ts'

test.each([
  [401, '{}', 77, 'the login of alice was answered with 401'],
  [503, '{}', 1, 'the login of alice was answered with 503'],
  [200, 'null', 1, 'the login of alice was answered with 200, and no JSON object'],
  [200, '<html>', 1, 'the login of alice was answered with 200, and no JSON object'],
  [
    200,
    '{"data":null,"user":{"id":1}}',
    1,
    'the answer has no session, only data,user: add its field to names',
  ],
])(
  'the program that signs in says what is wrong with %i %s',
  { timeout: 300_000 },
  async (status, text, code, said) => {
    await using login = await startListening(
      createServer((_, response) => void response.writeHead(status).end(text)),
      { host: '127.0.0.1', port: 0 },
    )
    const folder = await mkdtemp(join(tmpdir(), 'twotoken-login-'))
    const program = join(folder, 'login.mjs')
    await writeFile(program, renderLogin({ kind: 'http', url: `http://127.0.0.1:${login.port}`, body: '{}' }))
    const run = promisify(execFile)(process.execPath, [program, 'alice', 'PASSWORD'], {
      env: { PASSWORD: 'x' },
    })
    await expect(run).rejects.toMatchObject({ code, stderr: expect.stringContaining(said) })
    await rm(folder, { recursive: true })
  },
)

test('the program that signs in ends with 78 where the password is not set', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-login-'))
  const program = join(folder, 'login.mjs')
  await writeFile(program, renderLogin({ kind: 'http', url: 'http://127.0.0.1:9', body: '{}' }))
  const run = promisify(execFile)(process.execPath, [program, 'ann', 'ALICE_PASSWORD'], { env: {} })
  await expect(run).rejects.toMatchObject({
    code: 78,
    stderr: expect.stringContaining('ALICE_PASSWORD is not set: write the password of ann in .env'),
  })
  await rm(folder, { recursive: true })
})
