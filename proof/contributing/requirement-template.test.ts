import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { proveCaught, proveUnaccused } from '../variants/prove.ts'
import { requirementFile, roleOf, writeRequirement } from './requirement-template.ts'

const define = join(import.meta.dirname, '../../src/requirement/define.ts')

test.each(['MINT-98', 'BACK-98', 'SIG-98', 'FLOW-98'])(
  'a new %s passes on the reference, and its proof is red until it has a variant',
  async (id) => {
    const role = roleOf(id)
    if (role === null) throw new Error(`${id} has no role`)
    const suites = await mkdtemp(join(tmpdir(), 'twotoken-suites-'))
    try {
      const text = writeRequirement({ id, role, title: "keeps a peer's promise" })
      await mkdir(join(suites, role))
      const file = requirementFile(role, 'keeps a promise').replace('suites', '')
      await writeFile(join(suites, file), text.replace('../../src/requirement/define.ts', define))
      const [check] = await loadCatalogue(undefined, suites)
      expect(check).toMatchObject({ id, role, title: "keeps a peer's promise" })
      if (check === undefined) return
      const [unaccused] = await proveUnaccused([check], 'reference', { variant: {} })
      expect(unaccused?.result).toMatchObject({ verdict: 'pass' })
      const caught = await proveCaught(check, 'name what is wrong with this implementation')
      expect(caught.result).toMatchObject({ verdict: 'pass' })
    } finally {
      await rm(suites, { recursive: true, force: true })
    }
  },
)

test('gives a file the name of its title', () => {
  expect(requirementFile('mint', 'rejects a userId of 10,000 characters')).toBe(
    'suites/mint/rejects-a-userid-of-10-000-characters.ts',
  )
  expect(roleOf('PKG-98')).toBeNull()
})
