import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, normalize, sep } from 'node:path'
import { parseAst } from 'vite'

/** Rooms side by side; each imports from the layers below it, and not from its neighbours. */
export interface Layer {
  readonly layer: string
  readonly rooms: readonly Room[]
}

interface Room {
  readonly folder: string
  readonly holds: string
  /** The sole files of it that other rooms import, types included. */
  readonly entries?: readonly string[]
}

export interface Import {
  /** Paths from the root of the checkout, with `/`. */
  readonly from: string
  readonly to: string
}

const root = join(import.meta.dirname, '../..')

/** The declared order of the house, the highest layer first. */
export async function loadLayers(): Promise<Layer[]> {
  return JSON.parse(await readFile(join(root, 'src/layers.json'), 'utf8'))
}

/** Every relative import of every source file below the folders, types included. */
export async function importsBelow(folders: readonly string[], base = root): Promise<Import[]> {
  const files = (await Promise.all(folders.map((folder) => filesOf(base, folder)))).flat()
  const found = await Promise.all(
    files.map(async (file) => importsOf(file, await readFile(join(base, file), 'utf8'))),
  )
  return found.flat()
}

/** Lists all that one file imports, exports from elsewhere, or declares anew of another module. */
export function importsOf(file: string, text: string): Import[] {
  const specifiers = new Set<string>()
  collect(parseAst(text, { lang: 'ts' }), specifiers)
  return [...specifiers]
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => ({
      from: file,
      to: normalize(join(dirname(file), specifier))
        .split(sep)
        .join('/'),
    }))
}

/** The imports that the order does not allow: to a higher layer, or to a neighbour. */
export function againstOrder(imports: readonly Import[], layers: readonly Layer[]): Import[] {
  return imports.filter(({ from, to }) => {
    const [above, below] = [placeOf(from, layers), placeOf(to, layers)]
    if (above === null || below === null || above.folder === below.folder) return false
    return below.height >= above.height
  })
}

/** The imports that reach into a room past its entries. */
export function pastEntry(imports: readonly Import[], layers: readonly Layer[]): Import[] {
  return imports.filter(({ from, to }) => {
    const room = roomOf(to, layers)
    if (room?.entries === undefined) return false
    if (room.entries.some((entry) => to === `${room.folder}/${entry}`)) return false
    return !from.startsWith(`${room.folder}/`) && !isForDevelopment(from)
  })
}

/** Tests, their helpers and the proof of the audit look at parts that no other room has a use for. */
function isForDevelopment(file: string): boolean {
  return /\.test\.ts$|\/testing\/|^audit\/proof\//.test(file)
}

interface Place {
  readonly folder: string
  /** 0 is the ground. */
  readonly height: number
}

/** The innermost declared room of a file; null where it is in none. */
function placeOf(file: string, layers: readonly Layer[]): Place | null {
  const room = roomOf(file, layers)
  if (room === null) return null
  return {
    folder: room.folder,
    height: layers.length - 1 - layers.findIndex(({ rooms }) => rooms.includes(room)),
  }
}

function roomOf(file: string, layers: readonly Layer[]): Room | null {
  const rooms = layers.flatMap(({ rooms }) => rooms).filter(({ folder }) => file.startsWith(`${folder}/`))
  return rooms.toSorted((a, b) => b.folder.length - a.folder.length)[0] ?? null
}

async function filesOf(base: string, folder: string): Promise<string[]> {
  const names = await readdir(join(base, folder), { recursive: true })
  return names
    .filter((name) => /(?<!\.d)\.ts$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name).split(sep).join('/'))
}

/** Takes the source of every node that has one: declarations, `import()`, and `import('…')` among types. */
function collect(node: unknown, specifiers: Set<string>): void {
  if (Array.isArray(node)) {
    for (const one of node) collect(one, specifiers)
    return
  }
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    if ((key === 'source' || key === 'id') && isText(value)) specifiers.add(value.value)
    else collect(value, specifiers)
  }
}

function isText(value: unknown): value is { readonly value: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    value.type === 'Literal' &&
    'value' in value &&
    typeof value.value === 'string'
  )
}
