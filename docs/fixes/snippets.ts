import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type FixedPart,
  type Framework,
  frameworkNames,
  listPages,
  parseFixPage,
} from '../../src/reports/fix-pages.ts'

/** The fix of one page for one framework. */
export interface Block {
  /** The name of the file, such as `call-the-mint.md`. */
  readonly page: string
  /** The requirements that the page is for. */
  readonly ids: readonly string[]
  readonly code: string
}

/** A framework that no page of a part is for has no blocks there. */
export type Snippets = Readonly<Record<FixedPart, Readonly<Record<Framework, readonly Block[]>>>>

/**
 * Reads the blocks of all pages, in the order of `README.md`.
 * @throws Error that names the page, where a section is missing or has not exactly one block
 */
export async function readSnippets(): Promise<Snippets> {
  const folder = import.meta.dirname
  const files = listPages(await readFile(join(folder, 'README.md'), 'utf8'))
  const pages = await Promise.all(
    files.map(async (file) => parseFixPage(file, await readFile(join(folder, file), 'utf8'))),
  )
  const blocksOf = (part: FixedPart, framework: Framework): Block[] =>
    pages
      .filter((page) => page.part === part)
      .flatMap(({ file, ids, code: { [framework]: code } }) =>
        code === undefined ? [] : [{ page: file, ids, code }],
      )
  const blocksOfAll = (part: FixedPart) =>
    Object.fromEntries(frameworkNames.map((name) => [name, blocksOf(part, name)])) as Record<
      Framework,
      Block[]
    >
  return {
    backend: blocksOfAll('backend'),
    mint: blocksOfAll('mint'),
    signaling: blocksOfAll('signaling'),
    client: blocksOfAll('client'),
  }
}

/** The requirements of all pages. */
export function listIds(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ ids }) => ids)
}
