import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EncryptJWT, type JWTPayload } from 'jose'
import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import { frozenRun } from '../../reports/testing/frozen-run.ts'
import type { Variant } from '../../requirement/define.ts'
import { writeRun } from '../../run/write-artefacts.ts'
import { createWorkplace } from '../testing/workplace.ts'

const key = randomBytes(32)
const ids = 'MINT-01,MINT-02,MINT-03,MINT-04,MINT-05,MINT-07,MINT-08,MINT-09,MINT-13,MINT-14'

async function judged(variant: Variant, only: string) {
  // A busy machine may be slower than a backend waits for its mint.
  const backend = { mintDeadlineMs: 30_000, ...variant.backend }
  await using reference = await startReference({ variant: { ...variant, backend } })
  await using place = await createWorkplace(reference.written)
  const { code, stdout } = await place.start(['run', '--only', only]).ended
  const results = await place.results()
  const text = JSON.stringify(results) + (await place.read('report.html'))
  return { code, stdout, results, text, secrets: Object.values(reference.backend.sessions) }
}

const encrypted = (claims: JWTPayload) =>
  new EncryptJWT(claims).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key)

test.concurrent('a mint whose tokens are encrypted, with an empty second part, is judged to its end', async () => {
  const { code, results } = await judged({ mint: { token: encrypted } }, `${ids},BACK-01,BACK-02`)
  expect(results.checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'info')).toEqual([])
  expect(code).toBe(0)
})

test.concurrent('a mint whose tokens are no JWTs fails for that, and the rest is judged', async () => {
  const issued: string[] = []
  const token = () => {
    issued.push(`tok_${randomBytes(24).toString('hex')}`)
    return issued.at(-1) ?? ''
  }
  const { code, results, text } = await judged({ mint: { token } }, ids)
  const failed = results.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
  expect(failed).toEqual(expect.arrayContaining(['MINT-02', 'MINT-03']))
  expect(results.checks.filter(({ verdict }) => verdict === 'error')).toEqual([])
  expect(issued.filter((token) => text.includes(token))).toEqual([])
  expect(code).toBe(1)
})

test.concurrent("a service that echoes a session as a header's name is judged, and shows no session", async () => {
  const echoing: Variant['backend'] = {
    answer: (usual, { headers }) => {
      const [session = 'none'] = /\S+$/.exec(headers['authorization'] ?? '') ?? []
      return { ...usual, headers: { ...usual.headers, [session]: '1' } }
    },
  }
  const { code, results, text, secrets } = await judged({ backend: echoing }, 'BACK-01,BACK-02,BACK-05')
  expect(results.checks.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass'])
  expect(secrets.filter(({ token }) => text.toLowerCase().includes(token.toLowerCase()))).toEqual([])
  expect(code).toBe(0)
})

test.concurrent('a violation whose sentence shows a field of a token ends with 1, and is no leak', async () => {
  const variant: Variant = { backend: { answer: (usual) => ({ ...usual, body: '{"jwt":"none"}' }) } }
  const { code, results, stdout } = await judged(variant, 'BACK-01')
  expect(stdout).toContain('expected a 2xx status and { "token": "<calling JWT>" } (4.2.5)')
  expect(code).toBe(1)
  expect(results).not.toHaveProperty('leaks')
})

test('a renderer that throws loses neither results nor report', async () => {
  await using folder = await openTempFolder()
  const onDisk: string[] = []
  const { json, failure } = await writeRun(folder.path, frozenRun, () => {
    onDisk.push(readFileSync(join(folder.path, 'results.json'), 'utf8'))
    throw new RangeError('too deep')
  })
  expect(onDisk).toEqual([json])
  expect(JSON.parse(json)).toEqual(frozenRun)
  expect(await readFile(join(folder.path, 'report.html'), 'utf8')).toContain('MINT-01')
  expect(failure?.message).toContain('could not be rendered (RangeError: too deep)')
})

test('a report that cannot be rendered is a page that says so, beside the results', async () => {
  await using folder = await openTempFolder()
  const exchanges = [{ ...frozenRun.exchanges[0], kind: 'unheard of' }]
  const defective = { ...frozenRun, exchanges } as unknown as typeof frozenRun
  const { failure } = await writeRun(folder.path, defective, () => ({ 'more.txt': 'more' }))
  expect(JSON.parse(await readFile(join(folder.path, 'results.json'), 'utf8')).checks).toEqual(
    frozenRun.checks,
  )
  expect(await readFile(join(folder.path, 'report.html'), 'utf8')).toContain('results.json is complete')
  expect(await readFile(join(folder.path, 'more.txt'), 'utf8')).toBe('more')
  expect(failure?.code).toBe('internal')
})
