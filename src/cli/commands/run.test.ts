import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { referenceMintPolicy } from '../../../fixtures/mint/policy.ts'
import { startReference } from '../../../fixtures/stack.ts'
import { findSecret } from '../../base/find-secret/find-secret.ts'
import { verdictOrder } from '../../base/verdict.ts'
import { loadCatalogue } from '../../catalogue/load-requirements.ts'
import { createWorkplace } from '../testing/workplace.ts'

test('a whole run judges every requirement once, keeps the contract of results.json and shows no secret', async () => {
  // Its usual deadline for the mint passes on a machine that also runs other tests and containers.
  const variant = { backend: { mintDeadlineMs: 8_000 } }
  await using reference = await startReference({ withBundle: true, withClient: true, variant })
  await using place = await createWorkplace(reference.written)
  const { code, stdout, stderr } = await place.start(['run', '--json']).ended
  expect(stderr).not.toMatch(/^\s+at /m)
  const results = await place.results()
  expect(JSON.parse(stdout)).toEqual(results)

  const others = results.checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'info')
  const accused = others.filter(({ verdict }) => verdict !== 'not-applicable')
  expect(accused.map(({ id, verdict, reason, findings }) => ({ id, verdict, reason, findings }))).toEqual([])
  // The reference speaks plain http on loopback, has opaque sessions, and its client is a page.
  const inapplicable = ['BACK-16', 'BACK-18', 'BACK-20', 'CLI-21', 'MINT-23']
  expect(others.map(({ id }) => id).toSorted()).toEqual(inapplicable)
  const ids = (await loadCatalogue()).map(({ id }) => id)
  expect(results.checks.map(({ id }) => id)).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  const fields =
    'tool target startedAt durationMs outcome config seed summary checks clauseAddresses observations exchanges'
  expect(Object.keys(results)).toEqual(fields.split(' '))
  expect(results).toMatchObject({
    tool: { name: 'twotoken' },
    target: 'reference',
    outcome: 'conformant',
    config: 'twotoken.yaml',
  })
  expect(Object.keys(results.summary).toSorted()).toEqual(verdictOrder.toSorted())
  const known = new Set(results.exchanges.map(({ id }) => id))
  expect(known.size).toBe(results.exchanges.length)
  for (const { absent = null, remarks, ...check } of results.checks) {
    expect(remarks?.join('; ') ?? null).toBe(check.reason)
    if (absent !== null) expect(check.reason).toContain(absent.reason)
    expect(Object.keys(check).toSorted()).toEqual(
      'clauses durationMs findings id level observations reason role title verdict why'.split(' '),
    )
    for (const id of check.findings.flatMap(({ evidence }) => evidence)) expect(known).toContain(id)
  }
  expect(code).toBe(0)

  const sessions = Object.values(reference.backend.sessions).map(({ token }) => token)
  const secrets = [...Object.values(reference.mint.keys), ...sessions]
  expect(secrets.length).toBeGreaterThan(8)
  const files = await readdir(place.out)
  expect(files.toSorted()).toEqual(['report.html', 'results.json'])
  const texts = await Promise.all(files.map((file) => readFile(join(place.out, file), 'utf8')))
  for (const text of [stdout, stderr, ...texts]) {
    expect(secrets.filter((secret) => findSecret(text, secret) !== null)).toEqual([])
    expect(text).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10,}\./)
  }
})

test('a run against another process accuses no part, and leaves untested what only a double shows', async () => {
  await using place = await createWorkplace('')
  const serving = place.start(['serve', '--json'])
  await serving.says('press Ctrl-C to stop')
  const { hooks: _, ...described } = JSON.parse(serving.stdout()).configuration
  const absent = [
    { what: 'switchableMint', reason: 'the backend is pointed at its real mint' },
    { what: 'hooks', reason: 'no command may change the parts from outside' },
    { what: 'logs', reason: 'they stay on the other machine' },
  ]
  await place.write('twotoken.yaml', JSON.stringify({ ...described, absent }))
  const { code, stdout } = await place.start(['run', '--suite', 'mint,backend,signaling,flow']).ended
  const { checks } = await place.results()
  const others = checks.filter(({ verdict }) => !['pass', 'info', 'not-applicable'].includes(verdict))
  const catalogue = await loadCatalogue(['backend', 'flow'])
  const needDouble = catalogue.filter(({ needs }) => needs.includes('mintDouble'))
  // The backend requests 15 minutes: nothing between it and the mint shortens them, echoes the key or counts its calls.
  const untested = [...needDouble.map(({ id }) => id), 'BACK-08', 'BACK-28', 'FLOW-03'].toSorted()
  const judged = others.map(({ id, verdict }) => `${id} ${verdict}`)
  expect(judged, stdout).toEqual(untested.map((id) => `${id} untested`))
  expect(code).toBe(3)
})

/** A reference that counts what its mint issues, and a folder with its configuration. */
async function counting(change: object) {
  const count = { issued: 0 }
  const reference = await startReference({
    withoutDouble: true,
    variant: {
      mint: {
        success(...given) {
          count.issued += 1
          return referenceMintPolicy.success(...given)
        },
      },
    },
  })
  const place = await createWorkplace({ ...reference.written, ...change })
  const stop = () => Promise.all([place[Symbol.asyncDispose](), reference[Symbol.asyncDispose]()])
  return { ...place, count, [Symbol.asyncDispose]: async () => void (await stop()) }
}

test('a run keeps to its calling tokens, and fails no requirement for it', async () => {
  await using place = await counting({})
  const { code, stderr } = await place.start(['run', '--suite', 'mint', '--max-mints', '40']).ended
  const { checks } = await place.results()
  expect(place.count.issued).toBeLessThanOrEqual(40)
  expect(place.count.issued).toBeGreaterThan(20)
  expect(checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([])
  const untested = checks.filter(({ verdict }) => verdict === 'untested')
  expect(untested.map(({ id }) => id)).toContain('MINT-13')
  for (const { reason } of untested)
    expect(reason).toMatch(/^needs up to \d+ calling tokens, but only \d+ of --max-mints 40 are left$/)
  expect(stderr).toContain('--max-mints 40: 2 calling tokens for the preparations')
  expect(code).toBe(3)
})

test('a budget for nothing judges what costs nothing', async () => {
  await using place = await counting({ limits: { maxMints: 0 } })
  const { code } = await place.start(['run', '--only', 'MINT-13,MINT-18', '--keep-going']).ended
  const { checks } = await place.results()
  expect(checks.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['MINT-13', 'untested'],
    ['MINT-18', 'pass'],
  ])
  expect(place.count.issued).toBe(0)
  expect(code).toBe(3)
})

test('tokens that are not counted are not requested', async () => {
  await using place = await counting({})
  const { code, stderr } = await place.start(['run', '--max-mints', '10', '--with-contracts']).ended
  expect(stderr).toContain('--with-contracts cannot be combined with --max-mints')
  expect(code).toBe(2)
})
