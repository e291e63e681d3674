import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { lastPart } from '../model/location.ts'

/** A regular file under a path that is audited. A name that is no UTF-8 is kept as bytes. */
export interface FileOnDisk {
  readonly path: string | Buffer
  readonly name: string
  /** Path as given, with `/`. */
  readonly location: string | Buffer
}

/** A file that is in memory only. */
export interface FileInMemory {
  readonly contents: Uint8Array
  readonly name: string
  readonly location: string
}

export type FileToRead = FileOnDisk | FileInMemory

type Path = string | Buffer

/** Receives everything but the files from a walk: gaps and names. */
export interface Walk {
  gap(location: string | Buffer, reason: string): void
  /**
   * Receives the name of everything, as a path within the given one. Folders, links and other non-files have
   * names as well.
   */
  name(path: string | Buffer): void
}

/** Every regular file once. Links are not followed: what they lead to is found at its own place, or is a gap. */
export function* walkFiles(root: string, given: string, { gap, name }: Walk): Generator<FileOnDisk> {
  const pending: [path: Path, location: Path, kind: Kind][] = [
    [root, given.length > 1 ? given.replace(/(?<!\/)\/+$/, '') : given, kindOf(statSync(root))],
  ]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [path, location, kind] = next
    name(location)
    try {
      if (kind === 'folder') {
        for (const child of childrenOf(path).reverse())
          pending.push([joined(path, child.name), joined(location, child.name), child.kind])
      } else if (kind === 'file') yield { path, location, name: lastPart(path) }
      else if (kind === 'link') {
        const reason = outside(path, root)
        if (reason !== null) gap(location, reason)
      } else gap(location, 'not a regular file')
    } catch (error) {
      gap(location, unreadable(error))
    }
  }
}

export function unreadable(error: unknown): string {
  return `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`
}

type Kind = 'file' | 'folder' | 'link' | 'other'

function kindOf(entry: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): Kind {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

/** In the order of their names, so that two runs report in the same order. */
function childrenOf(folder: Path): { name: Path; kind: Kind }[] {
  const children = readdirSync(folder, { withFileTypes: true })
  const isReadable = children.every(({ name }) => !name.includes('\ufffd'))
  if (isReadable && typeof folder === 'string')
    return children
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((child) => ({ name: child.name, kind: kindOf(child) }))
  return readdirSync(folder, { encoding: 'buffer' })
    .sort(Buffer.compare)
    .map((name) => ({ name, kind: kindOf(lstatSync(joined(folder, name))) }))
}

function outside(link: Path, root: string): string | null {
  const real = realpathSync(link)
  return real === root || real.startsWith(root === '/' ? '/' : `${root}/`)
    ? null
    : 'a link to a target outside the path'
}

function joined(folder: Path, name: Path): Path {
  if (typeof folder === 'string' && typeof name === 'string')
    return folder === '/' ? `/${name}` : `${folder}/${name}`
  return Buffer.concat([Buffer.from(folder), Buffer.from('/'), Buffer.from(name)])
}

/** In bytes; 0 where it cannot be asked, which the audit reports when it reads the file. */
export function sizeOf(file: FileToRead): number {
  if ('contents' in file) return file.contents.length
  try {
    return statSync(file.path).size
  } catch {
    return 0
  }
}
