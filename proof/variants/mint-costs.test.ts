import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { referenceMintPolicy } from '../../fixtures/mint/policy.ts'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import type { AnyCheck, Variant } from '../../src/requirement/define.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import { judgeTogether } from './testing/prove.ts'

/** How many calling tokens the mint of a stack issues while one requirement is judged, and nothing else. */
async function countMints(check: AnyCheck, variant: Variant = {}): Promise<number> {
  let issued = 0
  const policy = { ...referenceMintPolicy, ...variant.mint }
  const counted: Variant = {
    ...variant,
    mint: {
      ...variant.mint,
      success(...given) {
        issued += 1
        return policy.success(...given)
      },
    },
  }
  await using reference = await startReference({ variant: counted })
  await using session = await openSession(reference.configuration)
  issued = 0
  await runCheck(check, session)
  return issued
}

// Those that hand their lanes back for an expiry are declared as measured: each would cost a wait here.
const checks = (await loadCatalogue()).filter(
  ({ role, stage }) => role !== 'client' && role !== 'bundle' && stage !== 'expiry',
)

// One after the other: a machine that is slow costs second tries.
describe('has no more tokens issued than it says', () => {
  for (const check of checks) {
    test(check.id, async () => {
      expect(await countMints(check)).toBeLessThanOrEqual(check.mints ?? 0)
    })
  }
})

// The table of docs/mint.md: requirements that cost minutes or may lock an account, and the key that asks for them.

const page = await readFile(join(import.meta.dirname, '../../docs/mint.md'), 'utf8')
const catalogue = await loadCatalogue()
const inTable = page.slice(page.indexOf('| requirements | off unless |')).split('\n\n')[0] ?? ''
const offUnless = Object.fromEntries(
  [...inTable.matchAll(/^\| (.*?) \| `([a-zA-Z.]+)`/gm)].map(([, ids = '', key = '']) => [
    key,
    [...ids.matchAll(/\b[A-Z]+-\d+\b/g)].map(([id]) => id),
  ]),
)
/** They wait for the end of a token. */
const awaitExpiry = catalogue.filter(({ needs }) => needs.includes('expiry')).map(({ id }) => id)

async function judgeUnasked(ids: readonly string[], configuration: Record<string, unknown>) {
  const ttl = { defaultSeconds: 3600, floorSeconds: 3600, ceilingSeconds: 3600 }
  const checks = catalogue.filter(({ id }) => ids.includes(id))
  return await judgeTogether(checks, { mint: { ttl }, configuration })
}

test('the table names its requirements', () => {
  expect(offUnless).toEqual({
    'limits.maxTtlWaitSeconds': [],
    hooks: expect.arrayContaining(['BACK-21', 'MINT-21', 'SIG-30', 'SIG-35']),
    'backend.recordRateLimit': ['BACK-28'],
    'limits.idleConnections': ['SIG-36'],
  })
  expect(awaitExpiry.length).toBeGreaterThan(3)
})

test('nothing of it is done unasked, and each key is named', async () => {
  const ids = [...awaitExpiry, ...Object.values(offUnless).flat()]
  const results = await judgeUnasked(ids, {
    hooks: null,
    backend: { recordRateLimit: null },
    token: { signWith: null },
  })
  const said = results.map(({ id, verdict, reason, observations }) => {
    const recorded = observations['signaling.idleConnections']
    return { id, verdict, said: [reason, recorded].join('; ') }
  })
  const keyOf = (id: string) =>
    Object.entries(offUnless).find(([, listed]) => listed.includes(id))?.[0] ?? 'limits.maxTtlWaitSeconds'
  const expected = said.map(({ id }) => ({
    id,
    verdict: { 'BACK-28': 'not-applicable', 'SIG-36': 'pass' }[id] ?? 'untested',
    said: expect.stringContaining(keyOf(id)),
  }))
  expect(said).toEqual(expected)
  expect(said.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
})
