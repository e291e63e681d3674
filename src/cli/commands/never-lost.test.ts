import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EncryptJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import { frozenRun } from '../../reports/testing/frozen-run.ts'
import type { Variant } from '../../requirement/define.ts'
import { leakOf, writeRun } from '../../run/write-artefacts.ts'
import { createWorkplace } from '../testing/workplace.ts'

const key = randomBytes(32)
const ids = 'MINT-01,MINT-02,MINT-03,MINT-04,MINT-05,MINT-07,MINT-08,MINT-09,MINT-13,MINT-14'

async function judged(variant: Variant, only: string) {
  // A busy machine may be slower than a backend waits for its mint.
  const backend = { mintDeadlineMs: 30_000, ...variant.backend }
  await using reference = await startReference({ variant: { ...variant, backend } })
  await using place = await createWorkplace(reference.written)
  const { code, stderr } = await place.start(['run', '--only', only]).ended
  const results = await place.results()
  const text = JSON.stringify(results) + (await place.read('report.html'))
  return { code, stderr, results, text, secrets: Object.values(reference.backend.sessions) }
}

test.concurrent('a mint whose tokens are encrypted, with an empty second part, is judged to its end', async () => {
  const { code, results } = await judged(
    {
      mint: {
        token: (claims) =>
          new EncryptJWT(claims).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key),
      },
    },
    `${ids},BACK-01,BACK-02`,
  )
  expect(results.checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'info')).toEqual([])
  expect(results.leaks).toBeUndefined()
  expect(code).toBe(0)
})

test.concurrent('a mint whose tokens are no JWTs fails for that, and the rest is judged', async () => {
  const issued: string[] = []
  const { code, results, text } = await judged(
    {
      mint: {
        token: () => {
          const token = `tok_${randomBytes(24).toString('hex')}`
          issued.push(token)
          return token
        },
      },
    },
    ids,
  )
  const failed = results.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
  expect(failed).toEqual(expect.arrayContaining(['MINT-02', 'MINT-03']))
  expect(results.checks.filter(({ verdict }) => verdict === 'error')).toEqual([])
  expect(issued.filter((token) => text.includes(token))).toEqual([])
  expect(results.leaks).toBeUndefined()
  expect(code).toBe(1)
})

test.concurrent("a service that echoes a session as a header's name is judged, and shows no session", async () => {
  const { code, results, text, secrets } = await judged(
    {
      backend: {
        answer: (usual, { headers }) => ({
          ...usual,
          headers: {
            ...usual.headers,
            [/\S+$/.exec(headers['authorization'] ?? 'none')?.[0] ?? 'none']: '1',
          },
        }),
      },
    },
    'BACK-01,BACK-02,BACK-05',
  )
  expect(results.checks.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass'])
  expect(secrets.filter(({ token }) => text.toLowerCase().includes(token.toLowerCase()))).toEqual([])
  expect(code).toBe(0)
})

describe('a secret that got past the redaction', () => {
  const session = 'session-of-alice-4711'
  const redactor = createRedactor()
  redactor.register('session', session)
  const [check] = frozenRun.checks
  const leaking = { ...frozenRun, target: `staging of ${session}` }

  const write = async (results: typeof frozenRun) => {
    await using folder = await openTempFolder()
    const written = await writeRun(folder.path, results, redactor, () => ({
      'mint.log': `one\ntwo ${session}`,
    }))
    const names = ['results.json', 'report.html', 'mint.log']
    const files = await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder.path, name), 'utf8')] as const),
    )
    return { ...written, files: Object.fromEntries(files) }
  }

  test('is hidden, named, and ends the run with error; nothing that was judged is lost', async () => {
    const { results, files, json } = await write(leaking)
    expect(results.leaks).toEqual([
      { file: 'results.json', at: 'target' },
      { file: 'mint.log', at: 'line 2' },
    ])
    expect(files['results.json']).toBe(json)
    expect(JSON.parse(json)).toEqual(results)
    expect(results.outcome).toBe('error')
    expect(results.checks[0]?.id).toBe(check?.id)
    for (const text of Object.values(files)) expect(text).not.toContain(session)
    expect(files['report.html']).toContain('‹session, 21 characters')
    expect(files['report.html']).toContain('A secret would have appeared in results.json at target')
    expect(leakOf(results)).toMatchObject({ code: 'secret-in-output' })
    expect(leakOf(results)?.message).toContain('results.json would have contained a secret at target')
  })

  test('is looked for in vain in what holds none', async () => {
    await using folder = await openTempFolder()
    const { results } = await writeRun(folder.path, frozenRun, redactor)
    expect(results).toEqual(frozenRun)
    expect(leakOf(results)).toBeNull()
  })
})

test('a renderer that throws loses neither results nor report', async () => {
  await using folder = await openTempFolder()
  const onDisk: string[] = []
  const { results, json, failure } = await writeRun(folder.path, frozenRun, createRedactor(), () => {
    onDisk.push(readFileSync(join(folder.path, 'results.json'), 'utf8'))
    throw new RangeError('too deep')
  })
  expect(onDisk).toEqual([json])
  expect(JSON.parse(json)).toEqual(results)
  expect(results).toEqual(frozenRun)
  expect(await readFile(join(folder.path, 'report.html'), 'utf8')).toContain('MINT-01')
  expect(failure?.message).toContain('could not be rendered (RangeError: too deep)')
})

test('a report that cannot be rendered is a page that says so, beside the results', async () => {
  await using folder = await openTempFolder()
  const exchanges = [{ ...frozenRun.exchanges[0], kind: 'unheard of' }]
  const defective = { ...frozenRun, exchanges } as unknown as typeof frozenRun
  const { failure } = await writeRun(folder.path, defective, createRedactor(), () => ({ 'more.txt': 'more' }))
  expect(JSON.parse(await readFile(join(folder.path, 'results.json'), 'utf8')).checks).toEqual(
    frozenRun.checks,
  )
  expect(await readFile(join(folder.path, 'report.html'), 'utf8')).toContain('results.json is complete')
  expect(await readFile(join(folder.path, 'more.txt'), 'utf8')).toBe('more')
  expect(failure?.code).toBe('internal')
})
