import { describe, expect, it } from 'vitest'
import { substitute as substituteFrom } from './substitute.ts'

const substitute = (written: unknown, values: NodeJS.ProcessEnv) =>
  substituteFrom(written, { values, advice: () => 'set it, or write it in .env beside the configuration' })

describe('the environment', () => {
  it.each([
    [`\${A}`, 'one'],
    [`x-\${A}-\${B}`, 'x-one-two'],
    [`$\${A}`, `\${A}`],
    [`$\${A} \${A}`, `\${A} one`],
    ['$A {A} $', '$A {A} $'],
    [`\${LOOP}`, `\${LOOP}`],
    [`\${EMPTY}`, ''],
  ])('turns %s into %s', (written, expected) => {
    const environment = { A: 'one', B: 'two', LOOP: `\${LOOP}`, EMPTY: '' }
    const { value, problems } = substitute({ name: [written] }, environment)
    expect(value).toEqual({ name: [expected] })
    expect(problems).toEqual([])
  })

  it('is not looked for in keys, and leaves other kinds of values alone', () => {
    const written = { [`\${A}`]: 1, b: true, c: null }
    expect(substitute(written, { A: 'one' }).value).toEqual(written)
  })

  it('causes a problem with name and path when it lacks a variable', () => {
    expect(substitute({ mint: { url: `https://\${HOST}/` } }, {}).problems).toEqual([
      {
        path: ['mint', 'url'],
        sentence:
          'needs the environment variable HOST, which is not set: set it, or write it in .env beside the configuration',
        about: 'configuration',
      },
    ])
  })

  it('supplies no credential from an empty variable', () => {
    const written = { mint: { apiKey: `ac_live_\${KEY}`, url: `\${KEY}` } }
    expect(substitute(written, { KEY: '' }).problems).toEqual([
      {
        path: ['mint', 'apiKey'],
        sentence:
          'needs the environment variable KEY, which is empty: set it, or write it in .env beside the configuration',
        about: 'credential',
      },
    ])
  })

  it.each([`\${}`, `\${A`, `\${A-b}`, `\${1}`, `\${A:-x}`])('has no name in %s', (written) => {
    const { problems } = substitute({ name: written }, { A: 'one' })
    expect(problems).toMatchObject([
      { path: ['name'], sentence: expect.stringContaining('without a variable name') },
    ])
  })
})
