import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckResult } from '../requirement/run.ts'
import { groupFindings } from './group-findings.ts'

export const frameworks = {
  express: { name: 'Express', language: 'js' },
  fastify: { name: 'Fastify', language: 'js' },
  fastapi: { name: 'FastAPI', language: 'python' },
  spring: { name: 'Spring', language: 'java' },
  rails: { name: 'Rails', language: 'ruby' },
  ws: { name: 'ws', language: 'js' },
  'socket.io': { name: 'Socket.IO', language: 'js' },
  browser: { name: 'Browser', language: 'js' },
} as const
export type Framework = keyof typeof frameworks
export const frameworkNames = Object.keys(frameworks) as readonly Framework[]

/** The frameworks of each part that pages mend, in the order of their sections. */
export const frameworksOfPart = {
  backend: ['express', 'fastify', 'fastapi', 'spring', 'rails'],
  mint: ['express', 'fastify'],
  signaling: ['ws', 'socket.io'],
  client: ['browser'],
} as const satisfies Readonly<Record<string, readonly Framework[]>>
export type FixedPart = keyof typeof frameworksOfPart

export interface FixPage {
  readonly part: FixedPart
  /** The name of the file, such as `call-the-mint.md`. */
  readonly file: string
  readonly title: string
  readonly text: string
  readonly ids: readonly string[]
  readonly code: Readonly<Partial<Record<Framework, string>>>
}

/** The build puts the pages beside the sources that it compiles. */
const fixFolder = join(import.meta.dirname, '../../docs/fixes')

let pages: readonly FixPage[] | undefined

/** The pages in the order in which `README.md` lists them. */
export function listPages(readme: string): string[] {
  return readme.split('\n').flatMap((line) => /^\d+\. \[[^\]]+\]\(([^)]+)\)/.exec(line)?.[1] ?? [])
}

export function findFixPage(id: string): FixPage | null {
  const read = (file: string) => readFileSync(join(fixFolder, file), 'utf8')
  pages ??= listPages(read('README.md')).map((file) => parseFixPage(file, read(file)))
  return pages.find(({ ids }) => ids.includes(id)) ?? null
}

/** The requirements whose pages fix what was found, the worst first: a finding may ask for the change of another one. */
export function listFixed({ id, findings }: Pick<CheckResult, 'id' | 'findings'>): string[] {
  const asked = groupFindings(findings).flatMap(({ verdict, findings: [first] }) => {
    if (verdict !== 'fail' && verdict !== 'warn') return []
    return [(first.seen === undefined ? undefined : first.fixedAs) ?? id]
  })
  const byPage = new Map<FixPage, string>()
  for (const one of asked.length === 0 ? [id] : asked) {
    const page = findFixPage(one)
    if (page !== null && !byPage.has(page)) byPage.set(page, one)
  }
  return [...byPage.values()]
}

/** Reads a page; throws an error that names it where a part is missing. */
export function parseFixPage(file: string, page: string): FixPage {
  const [, title, text, listed] = /^# (.+)\n\n(.+?)\n\n(For [^\n]+\.)\n/s.exec(page) ?? []
  if (title === undefined || text === undefined || listed === undefined)
    throw new Error(`${file}: expected a title, a text and a line "For BACK-01, BACK-02 and BACK-03."`)
  const ids = listed.match(/\b[A-Z]+-\d+/g) ?? []
  const part = partOf(ids)
  return {
    part,
    file,
    title,
    text: text.replaceAll('\n', ' '),
    ids,
    code: Object.fromEntries(frameworksOfPart[part].map((name) => [name, readBlock(file, page, name)])),
  }
}

function partOf(ids: readonly string[]): FixedPart {
  if (ids.every((id) => id.startsWith('SIG-'))) return 'signaling'
  if (ids.every((id) => id.startsWith('CLI-'))) return 'client'
  return ids.every((id) => id.startsWith('MINT-')) ? 'mint' : 'backend'
}

function readBlock(file: string, page: string, framework: Framework): string {
  const { name, language } = frameworks[framework]
  const found = page.split(/^## /m).filter((section) => section.startsWith(`${name}\n`))
  const blocks = found.flatMap((section) => [...section.matchAll(/^```(\w*)\n(.*?)^```$/gms)])
  const [block] = blocks
  if (found.length !== 1 || blocks.length !== 1 || block?.[1] !== language)
    throw new Error(`${file}: expected one section "## ${name}" with one block of ${language}`)
  return block[2] ?? ''
}

export function frameworksOf({ code }: FixPage): Framework[] {
  return frameworkNames.filter((name) => code[name] !== undefined)
}
