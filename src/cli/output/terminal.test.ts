import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createEnvironment } from '../environment.ts'
import { createDialogue, openScreen } from './terminal.ts'

/** A terminal with a user who types when a question is there. */
async function openTerminal() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let shown = ''
  let answer: { readonly question: string; readonly keys: string } | null = null
  output.on('data', (chunk) => {
    shown += chunk
    if (answer === null || !shown.includes(answer.question)) return
    const { keys } = answer
    answer = null
    // The prompt listens to the keyboard from the next turn on.
    setImmediate(() => input.write(keys))
  })
  const dialogue = await createDialogue({ input, output })
  return {
    dialogue,
    shown: () => shown,
    types(keys: string, question: string) {
      answer = { question, keys }
    },
  }
}

test('asks with a proposal, hides a password, and offers choices by the arrows', async () => {
  const { dialogue, types, shown } = await openTerminal()
  types('\r', 'token route')
  expect(await dialogue.ask('token route', { proposal: 'http://127.0.0.1:3000/calling/token' })).toBe('')
  expect(shown()).toMatch(/◇ {2}token route.*127\.0\.0\.1:3000\/calling\/token/s)
  types('/t\r', 'another route')
  expect(await dialogue.ask('another route')).toBe('/t')
  types('hidden-word\r', 'password of alice')
  expect(await dialogue.ask('password of alice', { isHidden: true })).toBe('hidden-word')
  expect(shown()).not.toContain('hidden-word')
  types('\r', 'over TLS')
  expect(await dialogue.confirm('over TLS', true)).toBe(true)
  types('n', 'run it now')
  expect(await dialogue.confirm('run it now', true)).toBe(false)
  types('\u001b[B\r', 'CI job')
  expect(await dialogue.choose('CI job', ['github', 'gitlab', 'none'], 'github')).toBe('gitlab')
})

test('Ctrl-C ends the questions', async () => {
  const { dialogue, types } = await openTerminal()
  types('\u0003', 'token route')
  await expect(dialogue.ask('token route')).rejects.toMatchObject({ code: 'interrupted' })
})

const processWith = (stdout: object, stderr: object) =>
  ({ env: {}, cwd: () => '/', stdout, stderr }) as unknown as NodeJS.Process

test.each([
  [[], '\u001b[36m│\u001b[39m\u001b[2B'],
  [['--no-color'], '│\u001b[2B'],
])('a screen draws with its escapes, while those of a peer are taken out: %j', (argv, drawn) => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  for (const stream of [stdout, stderr]) Object.assign(stream, { isTTY: true, columns: 100 })
  const screen = openScreen(createEnvironment(processWith(stdout, stderr), argv))
  screen.write('\u001b[36m│\u001b[39m\u001b[2B')
  expect(String(stderr.read())).toBe(drawn)
  stderr.write('\u001b[36m│')
  expect(String(stderr.read())).not.toContain('\u001b')
  expect(screen).toHaveProperty('columns', 100)
})

test.each([
  [120, 120],
  [0, 80],
  [undefined, 80],
])('a terminal that says %s columns has %s', (columns, expected) => {
  const stream = { isTTY: true, columns, write: () => true }
  const environment = createEnvironment(processWith(stream, stream), [])
  expect(environment.columns).toBe(expected)
  expect(environment.stderr.columns).toBe(expected)
})
