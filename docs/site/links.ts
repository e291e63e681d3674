import { dirname, normalize, relative } from 'node:path/posix'
import { fenced, link } from '../generator/markdown-links.ts'

interface Place {
  /** The page with the links, by its path in the repository. */
  readonly file: string
  /** Paths on the site by those in the repository. */
  readonly paths: ReadonlyMap<string, string>
  /** The address of the repository, without a slash at its end. */
  readonly repository: string
}

/** Turns links to pages into those of the site, and links to other files into addresses of the repository. */
export function rewriteLinks(text: string, place: Place): string {
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
