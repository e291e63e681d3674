import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { runToEnd } from '../../../fixtures/package/testing/run-to-end.ts'
import { startReference } from '../../../fixtures/stack.ts'
import { createWorkplace } from '../testing/workplace.ts'

test.concurrent('a reader that has seen enough is no failure', async () => {
  await using place = await createWorkplace('')
  const running = place.start(['list'])
  running.process.stdout?.destroy()
  expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
})

test.concurrent('an output that takes nothing is exit 4 and a sentence', async () => {
  await using place = await createWorkplace('')
  const { code, stderr } = await place.start(['list'], { prelude: 'exec > /dev/full' }).ended
  expect(stderr).toBe('twotoken: cannot write to stdout or stderr (ENOSPC)\n')
  expect(code).toBe(4)
})

test.concurrent('exits with 4 and without a stack on an error outside of every call', async () => {
  await using place = await createWorkplace('')
  const stray = "data:text/javascript,setTimeout(()=>{throw(new(Error)('astray'))},500)"
  const prelude = `export NODE_OPTIONS="--import ${stray}"`
  const { code, stderr } = await place.start(['serve'], { prelude }).ended
  expect(stderr).toContain('twotoken: internal error: astray')
  expect(stderr).not.toMatch(/^\s+at /m)
  expect(code).toBe(4)
})

const urlOf = (path: string) => pathToFileURL(`${import.meta.dirname}/${path}`).href

function ended(rejection: string) {
  const script = `
    import { createProgram } from '${urlOf('../command-line.ts')}'
    import { ControlLost, Untested } from '${urlOf('../../base/inconclusive.ts')}'
    createProgram('twotoken')
    Promise.reject(${rejection})
    setTimeout(() => console.log('the results'), 50)
  `
  return runToEnd(process.execPath, ['--input-type=module', '--eval', script])
}

test.each(["new ControlLost('no token')", "new Untested('no browser')"])(
  '%s that a check awaits too late does not end the run',
  async (rejection) => {
    expect(await ended(rejection)).toEqual({ code: 0, stdout: 'the results\n', stderr: '' })
  },
)

test('any other rejection that is not handled is one sentence and exit 4', async () => {
  expect(await ended("new Error('out of order')")).toEqual({
    code: 4,
    stdout: '',
    stderr: 'twotoken: internal error: out of order\n',
  })
})

// Each waits until the error is there: a run could be over before.
const late = {
  'throws in a promise that nothing awaits': `{ setImmediate(() => Promise.reject(new Error('astray'))); await once(process, 'unhandledRejection') }`,
  'opens a connection without a listener for its errors': `{ createConnection(9, '127.0.0.1'); await once(process, 'uncaughtException') }`,
}

// The checks run in a process of their own.
const moments = {
  'in the preflight': 'process.send === undefined',
  'in a check': 'process.send !== undefined',
}

test.concurrent.each(
  Object.entries(late).flatMap(([name, line]) =>
    Object.entries(moments).map(([when, isNow]) => ({ name, line, when, isNow })),
  ),
)('an adapter that $name $when is the mistake of its file', async ({ line, isNow }) => {
  await using reference = await startReference({})
  await using place = await createWorkplace({
    ...reference.written,
    signaling: { url: reference.signaling.url, adapter: './adapter.mjs' },
  })
  await place.write(
    'adapter.mjs',
    `import { once } from 'node:events'; import { createConnection } from 'node:net'
export async function connect({ token }) {
  if (${isNow}) ${line}
  return { accepted: token?.startsWith('eyJ') ?? false }
}
`,
  )
  const { code, stderr } = await place.start(['run', '--only', 'SIG-02']).ended
  expect(stderr).toMatch(
    /^twotoken: signaling\.adapter \S+adapter\.mjs(?::3| or a connection of twotoken) did not catch an error/m,
  )
  expect(code).toBe(2)
})
