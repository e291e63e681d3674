import { cp, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { runToEnd } from '../../fixtures/package/testing/run-to-end.ts'
import { reservePort } from '../../fixtures/reserve-port.ts'
import { openTempFolder } from '../../src/base/temp-folder.ts'
import { wrapText } from '../../src/cli/output/wrap-text.ts'
import { main } from '../../src/cli/testing/run-command.ts'

const root = join(import.meta.dirname, '../..')
const example = join(root, 'examples/express-backend')
const tutorial = join(root, 'docs/tutorial.md')
/** The page shows these in place of the folder and the ports of the test. */
const shownFolder = '/home/you/shop'
const shownPort = '3000'
const shownDouble = '9400'
const passwords = "printf 'ALICE_PASSWORD=made-up-for-alice\\nBOB_PASSWORD=made-up-for-bob\\n' > .env"
/** The width of the terminal in the page. */
const columns = 100

const page = await readFile(tutorial, 'utf8')
const blocks = findBlocks(page)

test('the tutorial prints what it shows; vitest -u writes it', async () => {
  await using shop = await openShop()
  const outputs: string[] = []
  let played = ''
  let end = 0
  let printed = ''
  for (const { language, text, line, start } of blocks) {
    played += page.slice(end, start)
    end = start + text.length
    if (language === 'diff') await shop.run('git apply', { input: text, line })
    if (language === 'sh') printed = isPlayed(text) ? await shop.run(text, { line }) : ''
    const written = language === 'yaml' ? await shop.read('twotoken.yaml') : text
    const output = language === 'text' ? cutAs(text, printed) : written
    if (language === 'text') outputs.push(output)
    played += normalise(output) === normalise(text) ? text : output
  }
  played += page.slice(end)

  expect(outputs).toHaveLength(blocks.filter(({ text }) => isPlayed(text)).length)
  expect(outputs.at(0)).toMatch(/^token route: .*\nwrote .*\nViolations\n.*\n…\n$/s)
  expect(outputs.at(-1)).toMatch(/^shop is conformant: .*\n0\n$/ms)
  await expect(played).toMatchFileSnapshot(tutorial)
})

/** A copy of the example in which the commands of the page run, on a port of its own; `init` takes a free one for the double. */
async function openShop() {
  await using stack = new AsyncDisposableStack()
  const reserved = stack.use(await reservePort())
  const { path: above } = stack.use(await openTempFolder())
  const folder = join(await realpath(above), basename(shownFolder))
  await cp(example, folder, { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const name of ['server.mjs', 'test.env']) {
    const text = await readFile(join(folder, name), 'utf8')
    await writeFile(join(folder, name), text.replaceAll(shownPort, `${reserved.port}`))
  }
  await runToEnd('/bin/sh', ['-c', passwords], { cwd: folder })
  const npx = `npx() { shift; '${process.execPath}' '${main}' "$@"; }`
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  const portOfDouble = async () =>
    /listen: 127\.0\.0\.1:(\d+)/.exec(await read('twotoken.yaml').catch(() => ''))?.[1] ?? shownDouble
  const asShown = async (text: string) =>
    text
      .replaceAll(folder, shownFolder)
      .replaceAll(`${reserved.port}`, shownPort)
      .replaceAll(`127.0.0.1:${await portOfDouble()}`, `127.0.0.1:${shownDouble}`)
  const owned = stack.move()
  return {
    read: async (name: string) => await asShown(await read(name)),
    /** Runs the commands; returns what a reader sees of them. */
    async run(commands: string, { line, input = '' }: { readonly line: number; readonly input?: string }) {
      const given = input.replaceAll(`127.0.0.1:${shownDouble}`, `127.0.0.1:${await portOfDouble()}`)
      const script = `${npx}\n${commands}`
      const { code, stdout, stderr } = await runToEnd('/bin/sh', ['-c', script], {
        cwd: folder,
        input: given,
      })
      // A violation ends with 1.
      const hasEnded = code === 0 || (code === 1 && isPlayed(commands))
      const isOver = hasEnded && (stdout !== '' || input !== '')
      if (!isOver) throw new Error(`docs/tutorial.md:${line}: ${commands} exited with ${code}\n${stderr}`)
      return (await asShown(stdout)).split('\n').map(wrapLine).join('\n')
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The blocks of code of the page, with their lines, and where their texts begin in the page. */
function findBlocks(text: string) {
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ({ index, 1: language = '', 2: content = '' }) => ({
      language,
      text: content,
      line: text.slice(0, index).split('\n').length,
      start: index + language.length + 4,
    }),
  )
}

function isPlayed(text: string): boolean {
  return /^npx twotoken /m.test(text) && !/^npm install/m.test(text)
}

/** As much of an output as the page shows. */
function cutAs(shown: string, output: string): string {
  if (!/^…\n$/m.test(shown)) return output
  return [...output.split('\n').slice(0, shown.split('\n').length - 2), '…\n'].join('\n')
}

/** Takes out times, and a count that depends on the characters of a genuine session. */
function normalise(text: string): string {
  return text.replace(/\b\d+(\.\d+)? s\b/g, 'N s').replace(/\bof \d+ forged\b/g, 'of N forged')
}

/** Breaks a line of the summary as `twotoken run` does on a terminal: an entry's text is indented behind its id. */
function wrapLine(line: string): string {
  if (line.length <= columns || line.startsWith('report: ')) return line
  const [head = ''] = /^( {12}| {4}(?=\S)| {2}\S+ +)/.exec(line) ?? []
  return wrapText(line.slice(head.length), head, ' '.repeat(head.length))
}
