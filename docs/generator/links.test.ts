import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { fenced, link } from './markdown-links.ts'

const root = join(import.meta.dirname, '../..')

/** The paths that `npm pack` puts into the package. */
async function listPacked(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  })
  const [packed] = JSON.parse(stdout) as { files: { path: string }[] }[]
  return packed?.files.map(({ path }) => path) ?? []
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

const packed = await listPacked()
const pages = new Map(
  await Promise.all(
    packed
      .filter((path) => path.endsWith('.md') && !path.startsWith('dist/'))
      .map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const),
  ),
)
const links = [...pages].flatMap(([from, page]) =>
  [...page.replace(fenced, '').matchAll(link)].map(([, to = '', anchor]) => ({
    from,
    to: to === '' ? from : normalize(join(dirname(from), to)),
    anchor,
  })),
)

test('each link of a packed page leads to a file of the package', () => {
  const isPacked = (to: string) => packed.some((path) => path === to || path.startsWith(`${to}/`))
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter(({ to }) => !isPacked(to))).toEqual([])
})

test('each anchor of a link is on its page', () => {
  const anchors = new Map([...pages].map(([path, page]) => [path, listAnchors(page)]))
  const dead = links.filter(
    ({ to, anchor }) => anchor !== undefined && anchors.has(to) && anchors.get(to)?.has(anchor) === false,
  )
  expect(dead).toEqual([])
})
