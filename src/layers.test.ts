import { expect, test } from 'vitest'
import { againstOrder, importsBelow, importsOf, loadLayers, pastEntry } from '../docs/generator/layers.ts'

const layers = await loadLayers()
const imports = await importsBelow(['src', 'audit', 'suites', 'fixtures', 'contracts', 'proof'])

test('no file imports from a higher layer or from a neighbour', () => {
  expect(againstOrder(imports, layers)).toEqual([])
})

test('a room with entries is imported by those files alone, types included', () => {
  expect(pastEntry(imports, layers)).toEqual([])
})

test('every source file below src is in a declared room', () => {
  const folders = layers.flatMap(({ rooms }) => rooms.map(({ folder }) => folder))
  const files = new Set(imports.map(({ from }) => from).filter((file) => /^src\/.+\//.test(file)))
  expect([...files].filter((file) => !folders.some((folder) => file.startsWith(`${folder}/`)))).toEqual([])
})

test.each([
  [
    'a type from above',
    'src/base/http/a.ts',
    "import type { Configuration } from '../../configuration/configuration.ts'",
  ],
  [
    'a call at run time',
    'src/roles/mint/a.ts',
    "export const later = () => import('../../requirement/session.ts')",
  ],
  ['a neighbour', 'suites/mint/a.ts', "export { startMint } from '../../fixtures/mint/server.ts'"],
])('is shown red by %s', (_, file, text) => {
  expect(againstOrder(importsOf(file, text), layers)).toHaveLength(1)
})

test.each([['a type', 'src/cli/a.ts', "import type { Finding } from '../../audit/src/model/finding.ts'"]])(
  'is shown red by %s from behind the entries of the audit',
  (_, file, text) => {
    expect(pastEntry(importsOf(file, text), layers)).toHaveLength(1)
  },
)
