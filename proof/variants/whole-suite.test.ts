import { expect, test } from 'vitest'
import { loadProvenCatalogue } from '../../src/catalogue/load-requirements.ts'
import { proveCaughtWhole } from './prove.ts'

// Requirements that run at once must not hide from each other what each finds alone. `npm run proof -- --whole` judges all
// broken variants so; these were hidden once.

const catalogue = await loadProvenCatalogue(['signaling', 'backend'])

test.concurrent.each([
  ['SIG-37', 'keeps the user in a variable'],
  ['BACK-10', 'falls back on an expired token when the mint answers 429'],
  ['BACK-10', 'keeps tokens as long as they are used'],
])('%s catches a service that %s, also where all requirements of its part are judged', async (id, name) => {
  const check = catalogue.find((one) => one.id === id)
  if (check === undefined) throw new Error(`there is no ${id}`)
  const beside = catalogue.filter(({ role }) => role === check.role)
  const { result, expected } = await proveCaughtWhole(beside, check, name)
  expect(expected).toContain(result.verdict)
})
