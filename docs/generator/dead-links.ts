import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Blocks of code, in which nothing is a link. */
export const fenced = /^[ \t]*```.*?^[ \t]*```[ \t]*$/gms

/** Links to files and to anchors of the project: the target, empty for the page itself, and the anchor after `#`. */
export const link = /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g

export interface CheckedLinks {
  readonly links: number
  /** Such as `docs/ci.md: reports.md#parts`. */
  readonly dead: readonly string[]
}

/** Follows the links of all pages of an unpacked package to its files and to the anchors of its pages. */
export async function checkLinks(folder: string): Promise<CheckedLinks> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md'))
  const read = names.map(async (name) => [join(folder, name), await readFile(join(folder, name), 'utf8')])
  const pages = new Map<string, string>((await Promise.all(read)) as [string, string][])
  const links = [...pages].flatMap(([from, page]) =>
    [...page.replace(fenced, '').matchAll(link)].map(([, to = '', anchor]) => ({
      from,
      to: to === '' ? from : join(dirname(from), to),
      anchor,
      text: `${from.slice(folder.length + 1)}: ${to}${anchor === undefined ? '' : `#${anchor}`}`,
    })),
  )
  const isDead = ({ to, anchor }: { to: string; anchor: string | undefined }) => {
    const page = pages.get(to)
    const isOutside = !to.startsWith(join(folder, '/'))
    return (
      isOutside ||
      !existsSync(to) ||
      (anchor !== undefined && page !== undefined && !listAnchors(page).has(anchor))
    )
  }
  return { links: links.length, dead: links.filter(isDead).map(({ text }) => text) }
}

/** Anchors of a page, as GitHub makes them of headings, and those that are written out. */
function listAnchors(page: string): Set<string> {
  const headings = [...page.replace(fenced, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
  const written = [...page.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id)
  return new Set([...headings, ...written])
}
