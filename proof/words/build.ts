import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

// Builds the lists of words that evidence shows: `npm run words -- FOLDER`, where FOLDER holds the files of SCOWL as
// the Debian package `scowl` has them in /usr/share/dict/scowl. The suite's own words need no folder.

const target = new URL('../../src/base/evidence/mask/', import.meta.url)
const [folder] = process.argv.slice(2)

/** The notice that the licence of SCOWL asks to keep. */
const notice = [
  'English words of SCOWL (sizes 10 and 20; short ones of size 10), http://wordlist.sourceforge.net/',
  'Copyright 2000-2011 by Kevin Atkinson. Permission to use, copy, modify, distribute and sell these word lists, the',
  'associated scripts, the output created from the scripts, and its documentation for any purpose is hereby granted',
  'without fee, provided that the above copyright notice appears in all copies and that both that copyright notice and',
  'this permission notice appear in supporting documentation. Kevin Atkinson makes no representations about the',
  'suitability of this array for any purpose. It is provided "as is" without express or implied warranty.',
]

/** A short word is soon a piece of something random: only the commonest of them count. */
const shortest = 5

async function readSize(size: number): Promise<string[]> {
  const files = ['english', 'american', 'british'].map((region) =>
    readFile(join(folder ?? '', `${region}-words.${size}`), 'latin1'),
  )
  return (await Promise.all(files))
    .flatMap((text) => text.split('\n'))
    .filter((one) => /^[a-z]{2,}$/.test(one))
}

async function writeEnglish(): Promise<void> {
  const common = await readSize(10)
  const further = (await readSize(20)).filter(({ length }) => length >= shortest)
  const words = [...new Set([...common, ...further])].toSorted()
  await write('english-words.json', { notice, words: linesOf(words) })
}

/** Examples in the documentation show bodies of peers, with the names of users. */
const codeBlock = /^```[\s\S]*?^```$/gm

/** Words of the suite's own sentences: of texts with a blank in its sources, and of its documentation. */
async function writeOwn(): Promise<void> {
  const { words: english } = JSON.parse(await readFile(new URL('english-words.json', target), 'utf8')) as {
    readonly words: readonly string[]
  }
  const known = new Set(english.flatMap((line) => line.split(' ')))
  const found = new Set<string>()
  const root = new URL('../../', import.meta.url).pathname
  const sources = ['src/**/*.{ts,yaml}', 'suites/**/*.ts', 'docs/*.md', 'fixtures/**/*.ts']
  for await (const name of glob(sources, { cwd: root })) {
    if (/\.test\.ts$|testing\/|evidence\/mask\/|common-secrets/.test(name)) continue
    const text = await readFile(join(root, name), 'utf8')
    for (const sentence of name.endsWith('.ts') ? sentencesIn(text) : [text.replaceAll(codeBlock, '')])
      for (const [word] of sentence.matchAll(/(?<![\p{L}\p{N}_])[A-Za-z]?[a-z]{2,17}(?![\p{L}\p{N}_])/gu))
        if (!known.has(word.toLowerCase())) found.add(word.toLowerCase())
  }
  await write('own-words.json', { words: linesOf([...found].toSorted()) })
}

function sentencesIn(source: string): string[] {
  return [...source.matchAll(/'[^'\n]* [^'\n]*'|"[^"\n]* [^"\n]*"|`[^`]* [^`]*`/g)].map(([literal]) =>
    literal.replaceAll(/\$\{[^}]*\}/g, ' '),
  )
}

function linesOf(words: readonly string[]): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    if (line.length + word.length > 108) {
      lines.push(line)
      line = ''
    }
    line += line === '' ? word : ` ${word}`
  }
  return [...lines, line]
}

async function write(file: string, list: object): Promise<void> {
  const text = `${JSON.stringify(list, null, 2)}\n`
  await writeFile(new URL(file, target), text)
  process.stdout.write(`${file}: ${text.length} bytes\n`)
}

if (folder !== undefined) await writeEnglish()
await writeOwn()
