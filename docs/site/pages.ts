import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, normalize, relative } from 'node:path/posix'
import { readAddress } from '../generator/address.ts'
import { fenced, link } from '../generator/dead-links.ts'
import { explanationPages } from './requirement-pages.ts'

const root = join(import.meta.dirname, '../..')

/** One page in Markdown, by its path on the site, such as `requirements/BACK-07.md`. */
export interface Page {
  readonly path: string
  readonly title: string
  readonly text: string
}

/** Everything that the generator of the site reads: its pages, and the side bar with their titles. */
export interface Site {
  readonly pages: readonly Page[]
  readonly bar: readonly { readonly title: string; readonly paths: readonly string[] }[]
  /** The requirements with a page. */
  readonly ids: readonly string[]
}

/**
 * Gathers the pages of the repository under their paths on the site, and a page for each requirement.
 * @throws Error for a page that the side bar does not lead to
 */
export async function gatherSite(): Promise<Site> {
  const repository = `https://github.com/${await readAddress()}`
  const files = await listFiles()
  const paths = new Map(files.map((file) => [file, sitePath(file)]))
  const written = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(root, file), 'utf8')
      return page(sitePath(file), rewriteLinks(text, { file, paths, repository }))
    }),
  )
  const explained = (await explanationPages()).map(({ id, text }) => page(`requirements/${id}.md`, text))
  return {
    pages: [...written, ...explained],
    bar: contents.map(({ title, files: listed }) => ({ title, paths: listed.map(sitePath) })),
    ids: explained.map(({ title }) => title.split(' ')[0] ?? ''),
  }
}

/** The pages that the side bar names, and those in the folders of pages that it names. */
async function listFiles(): Promise<string[]> {
  const named = contents.flatMap(({ files }) => files)
  const folders = ['docs', 'docs/fixes']
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder))
      return names.filter((name) => name.endsWith('.md')).map((name) => join(folder, name))
    }),
  )
  const unlisted = found[0]?.filter((file) => !named.includes(file)) ?? []
  if (unlisted.length > 0)
    throw new Error(`docs/site/pages.ts does not list ${unlisted.join(', ')}: no reader would find it`)
  return [...new Set([...named, ...found.flat()])]
}

/** The path on the site of a page of the repository. */
function sitePath(file: string): string {
  if (file === 'README.md') return 'index.md'
  if (file === 'SECURITY.md') return 'security-policy.md'
  const path = file.startsWith('docs/') ? file.slice('docs/'.length) : file.toLowerCase()
  return path.replace(/README\.md$/, 'index.md')
}

function page(path: string, text: string): Page {
  const [, title] = /^# (.+)$/m.exec(text) ?? []
  if (title === undefined) throw new Error(`${path} has no title: its first heading has to begin with "# "`)
  return { path, title, text }
}

/** The pages of the site under their headings, as the side bar lists them, by their paths in the repository. */
const contents: readonly { readonly title: string; readonly files: readonly string[] }[] = [
  {
    title: 'Begin',
    files: ['README.md', 'docs/tutorial.md', 'docs/specification.md', 'docs/requirements.md'],
  },
  {
    title: 'Test',
    files: [
      'docs/backend.md',
      'docs/mint.md',
      'docs/signaling.md',
      'docs/client.md',
      'docs/audit.md',
      'docs/contracts.md',
      'docs/explore.md',
    ],
  },
  {
    title: 'Set up',
    files: ['docs/configuration.md', 'docs/containers.md', 'docs/ci.md', 'docs/limits.md'],
  },
  {
    title: 'Results',
    files: ['docs/results.md', 'docs/reports.md', 'docs/fixes/README.md'],
  },
  {
    title: 'Trust',
    files: ['docs/security.md', 'SECURITY.md'],
  },
  {
    title: 'Contribute',
    files: ['CONTRIBUTING.md', 'docs/architecture.md', 'docs/decisions.md', 'CHANGELOG.md'],
  },
]

interface Place {
  /** The page with the links, by its path in the repository. */
  readonly file: string
  /** Paths on the site by those in the repository. */
  readonly paths: ReadonlyMap<string, string>
  /** The address of the repository, without a slash at its end. */
  readonly repository: string
}

/** Turns links to pages into those of the site, and links to other files into addresses of the repository. */
function rewriteLinks(text: string, place: Place): string {
  const blocks = text.match(fenced) ?? []
  const prose = text.split(fenced).map((part) => rewriteProse(part, place))
  return prose.map((part, index) => `${part}${blocks[index] ?? ''}`).join('')
}

function rewriteProse(text: string, { file, paths, repository }: Place): string {
  const here = dirname(paths.get(file) ?? '')
  return text.replace(link, (written, target: string, name?: string) => {
    if (target === '') return written
    const anchor = name === undefined ? '' : `#${name}`
    const to = normalize(`${dirname(file)}/${target}`)
    const path = paths.get(to) ?? paths.get(`${to}/README.md`)
    if (path !== undefined) return `](${dotted(relative(here, path))}${anchor})`
    // Pictures are copied beside the pages.
    if (to.startsWith('docs/images/')) return `](${dotted(relative(here, to.slice('docs/'.length)))})`
    return `](${repository}/blob/HEAD/${to}${anchor})`
  })
}

function dotted(path: string): string {
  return path.startsWith('.') ? path : `./${path}`
}
