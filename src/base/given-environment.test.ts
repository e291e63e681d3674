import { expect, onTestFinished, test } from 'vitest'
import { givenEnvironment, listWithheld, withholdEnvironment } from './given-environment.ts'

const shell = {
  PATH: '/bin',
  HOME: '/root',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  HTTPS_PROXY: 'http://proxy:3128',
  https_proxy: 'http://proxy:3128',
  E2E_PASSWORD: 'one',
  E2E_USER: 'two',
  CALLING_API_KEY: 'three',
  NPM_TOKEN: 'four',
}
function replaceEnvironment(environment: NodeJS.ProcessEnv): void {
  const whole = process.env
  onTestFinished(() => {
    process.env = whole
  })
  process.env = environment
}

const usual = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'HTTPS_PROXY', 'https_proxy']

test.for([
  ['nothing else without a name', [], '', []],
  ['what the configuration names', ['NPM_TOKEN'], '', ['NPM_TOKEN']],
  ['all that begins as it names', ['E2E_*'], '', ['E2E_PASSWORD', 'E2E_USER']],
  ['no name that is a part of another', ['E2E', 'TOKEN'], '', []],
  ['what the command refers to', [], `curl -u "\${E2E_USER}:$E2E_PASSWORD"`, ['E2E_PASSWORD', 'E2E_USER']],
] as const)('a program gets %s', ([, environment, command, more]) => {
  expect(Object.keys(givenEnvironment(shell, { environment }, command))).toEqual([...usual, ...more])
})

test('a module in this process gets no more, until it is over', () => {
  replaceEnvironment({ ...shell, VITEST_POOL_ID: '1' })
  const outer = withholdEnvironment({ environment: ['E2E_USER'] })
  const inner = withholdEnvironment({ environment: [] })
  expect(Object.keys(process.env)).toEqual([...usual, 'VITEST_POOL_ID'])
  outer[Symbol.dispose]()
  inner[Symbol.dispose]()
  expect(process.env['NPM_TOKEN']).toBe('four')
})

test.for([
  ['process.env.E2E_PASSWORD', ['E2E_PASSWORD']],
  [`process.env['NPM_TOKEN'] ?? process.env.NPM_TOKEN`, ['NPM_TOKEN']],
  ['process.env.HOME + process.env.NOT_SET', []],
  ['process.env.E2E_USER', []],
] as const)('a source %s lacks %j', ([source, names]) => {
  replaceEnvironment(shell)
  expect(listWithheld(source, { environment: ['E2E_USER'] })).toEqual(names)
})
