import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderRequirementsPage } from '../../docs/generator/requirements-page.ts'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import { proveCaught, proveUnaccused } from './prove.ts'

// As docs/architecture.md tells it: one file, and no other is edited.

const file = `
import { defineCheck } from ${JSON.stringify(join(import.meta.dirname, '../requirement/define.ts'))}

export default defineCheck({
  id: 'MINT-98',
  role: 'mint',
  level: 'MUST',
  kind: 'positive',
  clauses: ['4.1'],
  title: 'returns a token with three parts',
  why: 'A compact JWS has three parts.',
  how: { does: ['Requests a token and counts its parts.'] },
  mints: 1,
  needs: ['mint'],
  async run({ mint, newUser }, judge) {
    const reply = await mint.request({ body: { userId: newUser() } })
    const { exchange } = reply
    judge.must(reply.kind === 'answer' && /"[^".]+[.][^".]+[.][^".]+"/.test(reply.body), {
      saw: 'a token with another number of parts',
      expected: 'three parts (4.1)',
      fix: 'Return a compact JWS.',
      evidence: [exchange],
    })
  },
  catches: {
    'returns a token of two parts': {
      mint: { success: (token) => ({ status: 200, headers: {}, body: JSON.stringify({ token: token.replace(/[.][^.]*$/, '') }) }) },
    },
  },
})
`

test('a requirement is one file', async () => {
  const suites = await mkdtemp(join(tmpdir(), 'twotoken-suites-'))
  try {
    await mkdir(join(suites, 'mint'))
    await writeFile(join(suites, 'mint/returns-three-parts.ts'), file)
    const catalogue = await loadCatalogue(undefined, suites)
    expect(catalogue.map(({ id }) => id)).toEqual(['MINT-98'])
    expect(renderRequirementsPage(catalogue)).toContain('returns a token with three parts')
    const [check] = catalogue
    if (check === undefined) return
    const [unaccused] = await proveUnaccused([check], 'reference', { variant: {} })
    expect(unaccused?.result).toMatchObject({ id: 'MINT-98', verdict: 'pass' })
    const caught = await proveCaught(check, 'returns a token of two parts')
    expect(caught.result).toMatchObject({ id: 'MINT-98', verdict: 'fail' })
  } finally {
    await rm(suites, { recursive: true, force: true })
  }
})

test('rejects a file beside the requirements that is none', async () => {
  const suites = await mkdtemp(join(tmpdir(), 'twotoken-suites-'))
  try {
    await mkdir(join(suites, 'mint/lib'), { recursive: true })
    await writeFile(join(suites, 'mint/lib/helper.ts'), 'export const one = 1')
    expect(await loadCatalogue(undefined, suites)).toEqual([])
    await writeFile(join(suites, 'mint/helper.ts'), 'export const one = 1')
    await expect(loadCatalogue(undefined, suites)).rejects.toThrow(
      'helpers of a role belong in its folder lib',
    )
  } finally {
    await rm(suites, { recursive: true, force: true })
  }
})
