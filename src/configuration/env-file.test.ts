import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempFolder } from '../base/temp-folder.ts'
import { loadConfiguration } from './load.ts'
import { substitute as substituteFrom } from './substitute.ts'

const written = ['mint:', '  url: https://mint.example', `  apiKey: \${KEY_OF_MINT}`, ''].join('\n')

async function folderWith(files: Readonly<Record<string, string>>) {
  const folder = await openTempFolder()
  await mkdir(join(folder.path, 'tests'))
  for (const [name, text] of Object.entries({ 'tests/twotoken.yaml': written, ...files }))
    await writeFile(join(folder.path, name), text)
  return Object.assign(folder, {
    load: (environment: NodeJS.ProcessEnv) =>
      loadConfiguration(join(folder.path, 'tests/twotoken.yaml'), environment),
  })
}

const keyIn = (rest: string) => `ac_live_${rest.repeat(16)}`

test('a value of .env beside the file is used, and one of the environment wins over it', async () => {
  await using folder = await folderWith({ 'tests/.env': `# keys\nexport KEY_OF_MINT="${keyIn('f')}"\n` })
  expect((await folder.load({})).mint?.apiKey).toBe(keyIn('f'))
  expect((await folder.load({ KEY_OF_MINT: keyIn('e') })).mint?.apiKey).toBe(keyIn('e'))
})

test.each(['.env', 'tests/.env.local', 'tests/.env.test'])(
  'a value that stands in %s alone is named with its file',
  async (file) => {
    await using folder = await folderWith({ [file]: `KEY_OF_MINT=${keyIn('f')}\n` })
    const shown = file === '.env' ? '../.env' : file.slice('tests/'.length)
    await expect(folder.load({})).rejects.toThrow(
      `needs the environment variable KEY_OF_MINT, which is not set: it is in ${shown}, which is not read; set it, or move it to .env beside the configuration`,
    )
  },
)

test('a file that is no .env adds nothing', async () => {
  await using folder = await folderWith({ 'tests/.env': '\u0000\u0001=====\n' })
  await expect(folder.load({})).rejects.toThrow('set it, or write it in .env beside the configuration')
})

test('a file that is named is read instead of .env, and none where that is wanted', async () => {
  await using folder = await folderWith({
    'tests/.env': `KEY_OF_MINT=${keyIn('f')}\n`,
    'staging.env': `KEY_OF_MINT=${keyIn('d')}\n`,
  })
  const named = { TWOTOKEN_ENV_FILE: join(folder.path, 'staging.env') }
  expect((await folder.load(named)).mint?.apiKey).toBe(keyIn('d'))
  await expect(folder.load({ TWOTOKEN_ENV_FILE: '' })).rejects.toThrow(
    'needs the environment variable KEY_OF_MINT, which is not set: it is in .env, which is not read; set it, or leave --no-env-file out',
  )
  await expect(folder.load({ TWOTOKEN_ENV_FILE: join(folder.path, 'no.env') })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('no.env cannot be read'),
  })
})

const substitute = (written: unknown, values: NodeJS.ProcessEnv) =>
  substituteFrom(written, { values, advice: () => 'set it, or write it in .env beside the configuration' })

test.each([
  [`\${A}`, 'one'],
  [`x-\${A}-\${B}`, 'x-one-two'],
  [`$\${A}`, `\${A}`],
  [`$\${A} \${A}`, `\${A} one`],
  ['$A {A} $', '$A {A} $'],
  [`\${LOOP}`, `\${LOOP}`],
  [`\${EMPTY}`, ''],
])('the environment turns %s into %s', (written, expected) => {
  const environment = { A: 'one', B: 'two', LOOP: `\${LOOP}`, EMPTY: '' }
  const { value, problems } = substitute({ name: [written] }, environment)
  expect(value).toEqual({ name: [expected] })
  expect(problems).toEqual([])
})

test('the environment is not looked for in keys, and leaves other kinds of values alone', () => {
  const written = { [`\${A}`]: 1, b: true, c: null }
  expect(substitute(written, { A: 'one' }).value).toEqual(written)
})

test.each([
  ['url', `https://\${KEY}/`, {}, 'is not set', 'configuration'],
  ['apiKey', `ac_live_\${KEY}`, { KEY: '' }, 'is empty', 'credential'],
])(
  'the environment causes a problem with its path where %s is %s, in %j',
  (name, written, environment, fault, about) => {
    expect(substitute({ mint: { [name]: written } }, environment).problems).toEqual([
      {
        path: ['mint', name],
        sentence: `needs the environment variable KEY, which ${fault}: set it, or write it in .env beside the configuration`,
        about,
      },
    ])
  },
)

test.each([`\${}`, `\${A`, `\${A-b}`, `\${1}`, `\${A:-x}`])(
  'the environment has no name in %s',
  (written) => {
    const { problems } = substitute({ name: written }, { A: 'one' })
    expect(problems).toMatchObject([
      { path: ['name'], sentence: expect.stringContaining('without a variable name') },
    ])
  },
)
