import { posix } from 'node:path'
import { hasModules, metroModule, sharedLists } from './chunk-modules.ts'

/** A script, or a page that names scripts, of one folder or archive. */
export interface FolderFile {
  readonly location: string
  /** Gives its bytes; `null` where they cannot be read, or are more than may be read. */
  read(): Buffer | null
}

/** A script, or a module of Metro in one, that others import, and the files that its own specifiers mean. */
export interface LinkedScript {
  readonly location: string
  readonly bytes: Buffer
  /** Where it begins in its file, and that file where it is only a part of it. */
  readonly base: number
  readonly file?: Buffer | undefined
  /** Gives the index, in the same list, of the script that a specifier means; -1 for any other. */
  resolve(specifier: string): number
}

/** Other files are pages, which name scripts. */
const scriptName = /\.(?:[cm]?js|jsx|(?:js)?bundle)$/i

/** Scripts that are folded together, and their characters. */
const mostScripts = 48
/** Modules of Metro that one needs, such as the helpers of a compiler; the rest of the room is for those that need it. */
const mostNeeded = 24
const mostCharacters = 1_500_000

interface Named {
  readonly location: string
  readonly text: string
  readonly base: number
  readonly file?: Buffer | undefined
  /** The module of Metro that it is, and those that it needs. */
  readonly module?: { readonly id: number; readonly needs: readonly number[] }
}

interface Links {
  /** Gives the indexes of the files that one names, is named by, or shares a list of chunks with. */
  all(index: number): ReadonlySet<number>
  /** Gives those of the modules that one of Metro needs. */
  needs(index: number): ReadonlySet<number>
}

/**
 * Groups scripts around those with a piece of a key: with what these import, what imports them, and what that imports. A
 * script is linked with another by its name in it, or by a list of chunks that both add to.
 * @param isWorth whether a module of Metro, in a script with a piece of a key, has one or may make one
 */
export function* linkScripts(
  files: readonly FolderFile[],
  parts: ReadonlySet<string>,
  isWorth: (bytes: Buffer) => boolean,
): Generator<LinkedScript[]> {
  const named = readNamed(files)
  const links = createLinks(named)
  const grouped = new Set<number>()
  for (const [index, { location, text, module }] of named.entries()) {
    if (!parts.has(location) || grouped.has(index)) continue
    if (module !== undefined && !isWorth(Buffer.from(text))) continue
    const near = nearTo(index, named, links)
    const members = near.filter((at) => scriptName.test(named[at]?.location ?? ''))
    if (members.length < 2 && (module !== undefined || !hasModules(text))) continue
    // At its edge, what a script imports may be missing.
    const group = new Set(near)
    for (const at of members) if ([...links.all(at)].every((other) => group.has(other))) grouped.add(at)
    grouped.add(index)
    yield membersOf(members, named)
  }
}

function readNamed(files: readonly FolderFile[]): Named[] {
  return files.flatMap(({ location, read }) => {
    const bytes = read()
    if (bytes === null) return []
    const starts = metroModulesIn(bytes)
    if (starts.length === 0) return [{ location, text: bytes.toString('utf8'), base: 0 }]
    return starts.map((base, index) => {
      const text = bytes.toString('utf8', base, starts[index + 1])
      return { location, text, base, file: bytes, module: metroIdsIn(text) }
    })
  })
}

/** Finds the offsets at which modules of Metro begin, each on a new line. */
function metroModulesIn(bytes: Buffer): number[] {
  const starts: number[] = []
  for (let at = bytes.indexOf(metroModule); at !== -1; at = bytes.indexOf(metroModule, at + 1))
    if (at === 0 || bytes[at - 1] === 0x0a) starts.push(at)
  return starts
}

const longestIds = 4_000

/** Its id and those of the modules that it needs, which are behind its function: `}, 35, [2, 36])`. */
function metroIdsIn(text: string): NonNullable<Named['module']> {
  const tail = text.slice(-longestIds)
  const at = Array.from(tail.matchAll(/\}\s*,\s*(?=\d+\s*[,)])/g), ({ index }) => index).at(-1) ?? tail.length
  const ids = tail.slice(at).matchAll(/(?<!["\w])\d+(?!["\w])/g)
  const [id = -1, ...needs] = Array.from(ids, ([number]) => Number(number))
  return { id, needs }
}

const moduleId = /[(,{](\d{2,7})(?=[(),:])/g
const mostIds = 1_000
/** Scripts whose module ids are remembered. */
const mostChunks = 1_000
/** A name or a number of more scripts means no single one of them. */
const mostSharing = 24

function createLinks(named: readonly Named[]): Links {
  const byName = indexesBy(named, ({ location }) => namesOf(location))
  const telling = (name: string) => (byName.get(name)?.length ?? 0) <= mostSharing
  const mentionsOf = ({ text }: Named) =>
    [...namedIn(text)].filter((name) => byName.has(name) && telling(name))
  const byMention = indexesBy(named, mentionsOf)
  const listsOf = ({ text }: Named) => sharedLists(text)
  const byList = indexesBy(named, listsOf)
  let chunks = 0
  const byId = indexesBy(named, (one) => {
    const isChunk = listsOf(one).some((list) => (byList.get(list)?.length ?? 0) > 1)
    return isChunk && ++chunks <= mostChunks ? idsIn(one) : []
  })
  const byModule = indexesBy(named, ({ module }) => (module === undefined ? [] : [module.id]))
  const byNeed = indexesBy(named, ({ module }) => module?.needs ?? [])
  const needs = (index: number) =>
    new Set((named[index]?.module?.needs ?? []).flatMap((id) => byModule.get(id) ?? []))
  const all = (index: number) => {
    const one = named[index]
    if (one === undefined) return new Set<number>()
    if (one.module !== undefined) {
      const needing = byNeed.get(one.module.id) ?? []
      return new Set([...needs(index), ...(needing.length <= mostSharing ? needing : [])])
    }
    const ofIds = chunks === 0 ? [] : idsIn(one).map((id) => byId.get(id) ?? [])
    const ofLists = listsOf(one).map((list) => byList.get(list) ?? [])
    return new Set([
      ...mentionsOf(one).flatMap((name) => byName.get(name) ?? []),
      ...namesOf(one.location)
        .filter(telling)
        .flatMap((name) => byMention.get(name) ?? []),
      ...ofIds.filter(({ length }) => length <= mostSharing).flat(),
      // The first of a list may be the one that reads it.
      ...ofLists.flatMap((sharing) => (sharing[0] === index ? sharing : sharing.slice(0, 1))),
    ])
  }
  return { all, needs }
}

/** The numbers in a chunk that may be ids of modules. */
function idsIn({ text }: Named): number[] {
  const ids = new Set<number>()
  for (const [, id] of text.matchAll(moduleId)) {
    ids.add(Number(id))
    if (ids.size === mostIds) break
  }
  return [...ids]
}

/** The last part of a path, also without its extension, as `require` takes it. */
function namesOf(location: string): string[] {
  const name = lastNameOf(location)
  const bare = name.replace(scriptName, '')
  return bare === name || bare === '' ? [name] : [name, bare]
}

function lastNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('!')) + 1)
}

const extensions = ['.js', '.mjs', '.cjs']
const longestName = 200

/** The names of scripts that a text holds, and the last names of its relative specifiers. */
function* namedIn(text: string): Generator<string> {
  for (const extension of extensions)
    for (let at = text.indexOf(extension); at !== -1; at = text.indexOf(extension, at + 1)) {
      let start = at
      while (start > 0 && at - start < longestName && !endsName(text.charCodeAt(start - 1))) start -= 1
      if (start < at) yield text.slice(start, at + extension.length)
    }
  for (let at = text.indexOf('./'); at !== -1; at = text.indexOf('./', at + 1)) {
    let end = at + 2
    while (end < text.length && end - at < longestName && !endsString(text.charCodeAt(end))) end += 1
    yield lastNameOf(text.slice(at, end))
  }
}

/** Quotes, slashes, spaces and marks of addresses. */
function endsName(code: number): boolean {
  return endsString(code) || code === 0x2f || code === 0x3d || code === 0x3f || code === 0x28
}

function endsString(code: number): boolean {
  return code === 0x22 || code === 0x27 || code === 0x60 || code <= 0x20
}

function indexesBy<Name>(named: readonly Named[], namesIn: (one: Named) => readonly Name[]) {
  const indexes = new Map<Name, number[]>()
  for (const [index, one] of named.entries())
    for (const name of new Set(namesIn(one))) {
      const own = indexes.get(name) ?? []
      indexes.set(name, own)
      own.push(index)
    }
  return indexes
}

const farthest = 3

/** Lists the scripts around one, the nearest first, as far as there is room for them. */
function nearTo(from: number, named: readonly Named[], links: Links): number[] {
  const { module } = named[from] ?? {}
  const needed = module === undefined ? [from] : ringsAround([from], named, links.needs, mostNeeded)
  return ringsAround(needed, named, links.all, mostScripts)
}

/** Adds rings of scripts to those that are given, of which the first is the middle. */
function ringsAround(
  given: readonly number[],
  named: readonly Named[],
  links: (index: number) => ReadonlySet<number>,
  most: number,
): number[] {
  const near = [...given]
  const known = new Set(given)
  const from = given.slice(0, 1)
  const seen = new Set(from)
  const sizeOf = (index: number) => named[index]?.text.length ?? 0
  let left = given.reduce((room, index) => room - sizeOf(index), mostCharacters)
  let ring = from
  for (let distance = 0; distance <= farthest && ring.length > 0; distance++) {
    const next: number[] = []
    for (const index of ring) {
      if (!known.has(index)) {
        if (sizeOf(index) > left || near.length >= most) continue
        near.push(index)
        left -= sizeOf(index)
      }
      for (const other of links(index))
        if (!seen.has(other)) {
          seen.add(other)
          next.push(other)
        }
    }
    ring = next
  }
  return near
}

function membersOf(members: readonly number[], named: readonly Named[]): LinkedScript[] {
  const paths = new Map(members.map((at, index) => [named[at]?.location ?? '', index]))
  return members.map((at) => {
    const { location = '', text = '', base = 0, file } = named[at] ?? {}
    return {
      location,
      bytes: Buffer.from(text),
      base,
      file,
      resolve(specifier) {
        for (const path of pathsOf(specifier, location)) {
          const index = paths.get(path)
          if (index !== undefined) return index
        }
        // An address from the root of a site.
        const sameName = members.filter(
          (one) => lastNameOf(named[one]?.location ?? '') === lastNameOf(specifier),
        )
        return sameName.length === 1 ? members.indexOf(sameName[0] ?? -1) : -1
      },
    }
  })
}

/** Lists the places that a specifier may mean in the folder or archive of the script that it is in. */
function pathsOf(specifier: string, location: string): string[] {
  const folder = location.slice(0, Math.max(location.lastIndexOf('/'), location.lastIndexOf('!')) + 1)
  const root = folder.slice(0, folder.lastIndexOf('!') + 1)
  const path = root + posix.join(folder.slice(root.length), specifier.split(/[?#]/, 1)[0] ?? '')
  return ['', ...extensions, '/index.js'].map((end) => path + end)
}
