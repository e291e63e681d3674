import { expect, test } from 'vitest'
import { explainMissing } from './optional-package.ts'

test('a package that is not installed is named with the command that installs it', async () => {
  const name = '@twotoken/absent'
  const error = await import(name).catch((cause: unknown) => explainMissing(cause, name, '--containers'))
  expect(error).toMatchObject({
    code: 'precondition',
    message:
      '--containers needs the package @twotoken/absent, which is not installed: run "npm install --save-dev @twotoken/absent"',
  })
})

test('an error of another package stays as it is', async () => {
  const other = '@twotoken/other'
  const error = await import(other).catch((cause: unknown) => cause)
  expect(explainMissing(error, '@twotoken/absent', '--containers')).toBe(error)
})
