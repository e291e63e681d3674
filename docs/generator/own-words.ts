import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { textsIn } from '../../proof/house/syntax.ts'

const target = new URL('../../src/base/evidence/', import.meta.url)

/** Examples in the documentation show bodies of peers, with the names of users. */
const codeBlock = /^```[\s\S]*?^```$/gm
const word = /(?<![\p{L}\p{N}_])[A-Za-z]?[a-z]{2,17}(?![\p{L}\p{N}_])/gu
/** Where a key of the configuration has its next word: `fakeMint`. */
const hump = /([a-z])([A-Z])/g
/** Short runs that sentences of the suite contain: `kB`, `1e99`, `ac` and `live` of `ac_live_`. */
const shortRun = /(?<![\p{L}\p{N}])(?=\d*[A-Za-z])[A-Za-z0-9]{2,6}(?![\p{L}\p{N}])/gu
/** Where sentences of findings are. */
const judging = /^(?:suites|src\/(?:requirement|roles|run|explore|contracts|base))\//

/** Writes the list of words of the suite's own sentences, which evidence shows: of its sources, and of its documentation. */
export async function writeOwnWords(): Promise<void> {
  const known = new Set([...(await listed('english')), ...(await listed('technical'))])
  const found = new Set<string>()
  const root = new URL('../../', import.meta.url).pathname
  const sources = ['src/**/*.{ts,yaml}', 'suites/**/*.ts', 'docs/*.md', 'fixtures/**/*.ts']
  for await (const name of glob(sources, { cwd: root })) {
    if (/\.test\.ts$|testing\/|common-secrets/.test(name)) continue
    const text = await readFile(join(root, name), 'utf8')
    const sentences = name.endsWith('.ts') ? sentencesOf(name, text) : []
    for (const sentence of [...sentences, ...(name.endsWith('.ts') ? [] : [text.replaceAll(codeBlock, '')])])
      for (const [run] of sentence.replace(hump, '$1 $2').matchAll(word)) found.add(run.toLowerCase())
    if (judging.test(name))
      for (const sentence of sentences)
        for (const [run] of sentence.matchAll(shortRun))
          if (!/^[A-Z]?[a-z]+$/.test(run) || run.length === 2) found.add(run)
  }
  const list = { words: linesOf([...found].filter((run) => !known.has(run)).toSorted()) }
  await writeFile(new URL('own-words.json', target), `${JSON.stringify(list, null, 2)}\n`)
}

async function listed(name: string): Promise<string[]> {
  const { words } = JSON.parse(await readFile(new URL(`${name}-words.json`, target), 'utf8'))
  return (words as string[]).flatMap((line) => line.split(' '))
}

/** Texts of several words, with a number for each value that a template puts into them. */
function sentencesOf(path: string, source: string): string[] {
  const texts = textsIn(path, source).map(({ pieces }) => pieces.join(' 1 '))
  return texts.filter((text) => text.includes(' '))
}

function linesOf(words: readonly string[]): string[] {
  const lines: string[] = []
  let line = ''
  for (const one of words) {
    if (line.length + one.length > 108) {
      lines.push(line)
      line = ''
    }
    line += line === '' ? one : ` ${one}`
  }
  return [...lines, line]
}
