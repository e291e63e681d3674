import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const target = new URL('../../src/base/evidence/mask/', import.meta.url)

/** Examples in the documentation show bodies of peers, with the names of users. */
const codeBlock = /^```[\s\S]*?^```$/gm

/** Writes the list of words of the suite's own sentences, which evidence shows: of texts with a blank in its sources, and of its documentation. */
export async function writeOwnWords(): Promise<void> {
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
  const list = { words: linesOf([...found].toSorted()) }
  await writeFile(new URL('own-words.json', target), `${JSON.stringify(list, null, 2)}\n`)
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
