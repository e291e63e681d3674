import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const urlOf = (path: string) => pathToFileURL(`${import.meta.dirname}/${path}`).href

function ended(rejection: string) {
  const script = `
    import { handleUncaughtErrors } from '${urlOf('uncaught-errors.ts')}'
    import { ControlLost, Untested } from '${urlOf('../base/inconclusive.ts')}'
    handleUncaughtErrors('twotoken')
    Promise.reject(${rejection})
    setTimeout(() => console.log('the results'), 50)
  `
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script],
    { encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

test.each(["new ControlLost('no token')", "new Untested('no browser')"])(
  '%s that a check awaits too late does not end the run',
  (rejection) => {
    expect(ended(rejection)).toEqual({ status: 0, stdout: 'the results\n', stderr: '' })
  },
)

test('any other rejection that is not handled is one sentence and exit 4', () => {
  expect(ended("new Error('out of order')")).toEqual({
    status: 4,
    stdout: '',
    stderr: 'twotoken: internal error: out of order\n',
  })
})
