import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, posix, relative, sep } from 'node:path'
import { isUsual } from '../../base/given-environment.ts'
import { mintContract } from '../../contract/mint.ts'
import { type Family, families, fileRoutes } from './families.ts'

export interface Route {
  readonly path: string
  /** POST and GET, whichever it answers. */
  readonly methods: readonly ('POST' | 'GET')[]
}

/** Facts about the backend in a folder. Null and empty where the sources do not show them. */
export interface FoundBackend {
  readonly family: Family
  readonly startCommand: string | null
  readonly port: number
  /** Every route, the likeliest token route first. */
  readonly routes: readonly Route[]
  /** Routes that read a password or are called a login, the likeliest first. */
  readonly logins: readonly Route[]
  /** Its JSON, or its form, with {user} and {password}. */
  readonly loginBody: string
  /** Variables through which the backend is given the address and the key of the mint. */
  readonly mintUrlVariable: string | null
  readonly mintKeyVariable: string | null
  /** True where the variable has the whole address of the mint endpoint. */
  readonly isWholeMintUrl: boolean
  readonly variables: readonly string[]
}

interface Source {
  readonly path: string
  readonly text: string
}

const mintPath = mintContract.path.slice(1)
/** A default that names the endpoint whole: the program appends no path to it. */
const wholeMintUrl = new RegExp(`https?://[\\w.:-]+/${mintPath}`, 'g')
/** Folders of packages, builds and tests: their routes and variables are not those of the backend. */
const skipped =
  /^(?:\..*|node_modules|vendor|dist|build|out|target|coverage|tmp|log|static|assets|__pycache__|venv|env|site-packages|migrations|tests?|__tests__|specs?|twotoken-results)$/
const testFile = /\.(?:test|spec)\.\w+$|^test_.*\.py$|_(?:test|spec)\.\w+$/
const largestFile = 262_144
const mostFiles = 2_000

/** Finds the backend that is in a folder; null where no route and no start is. Nothing is run or contacted. */
export async function findBackend(directory: string): Promise<FoundBackend | null> {
  const files = await readFiles(directory)
  const family = families.find(({ manifests }) => files.some(({ path }) => manifests.includes(path)))
  if (family === undefined) return null
  const sources = files.filter(({ path }) => family.extensions.includes(extname(path)))
  const start = findStart(family, files)
  const found = sources.flatMap((source) => findRoutes(family, source, sources))
  if (found.length === 0 && start.command === null) return null
  const ranked = (rank: (one: DeclaredRoute) => number, least: number) =>
    unique(found.filter((one) => rank(one) >= least).toSorted((one, other) => rank(other) - rank(one)))
  const mint = findMintVariables(family, sources)
  const names = sources.flatMap(({ text }) => listVariables(family, text))
  return {
    family,
    startCommand: start.command,
    port: findPort(family, [start.command ?? '', ...files.map(({ text }) => text)]) ?? start.port,
    routes: ranked(rankAsTokenRoute, 0),
    logins: ranked(rankAsLogin, 1),
    loginBody: findLoginBody(sources),
    mintUrlVariable: mint.url,
    mintKeyVariable: mint.key,
    isWholeMintUrl: !sources.some(({ text }) => text.replace(wholeMintUrl, '').includes(mintPath)),
    variables: [...new Set(names)]
      .filter((name) => name !== mint.url && name !== mint.key && !isUsual(name))
      .sort(),
  }
}

/** Reads the text files of a project, those of a folder before those below it. Links are not followed. */
async function readFiles(directory: string): Promise<Source[]> {
  const known = new Set(families.flatMap(({ extensions }) => extensions))
  const named = new Set([
    '.env',
    ...families.flatMap(({ manifests, starts }) => [...manifests, ...starts.map(({ file }) => file)]),
  ])
  const files: Source[] = []
  const folders = [directory]
  for (const folder of folders)
    for (const entry of (await readdir(folder, { withFileTypes: true }).catch(() => [])).toSorted(
      (one, other) => (one.name < other.name ? -1 : 1),
    )) {
      const path = join(folder, entry.name)
      const local = relative(directory, path).split(sep).join('/')
      if (entry.isDirectory() && !skipped.test(entry.name)) folders.push(path)
      const isSource = known.has(extname(entry.name)) && !testFile.test(entry.name)
      if (!entry.isFile() || !(isSource || named.has(local)) || files.length >= mostFiles) continue
      if ((await stat(path)).size > largestFile) continue
      files.push({ path: local, text: await readFile(path, 'utf8').catch(() => '') })
    }
  return files
}

function findStart({ starts }: Family, files: readonly Source[]): { command: string | null; port: number } {
  for (const { file, shows, command, port } of starts)
    for (const { path, text } of files) {
      const match = (file.startsWith('*') ? path.endsWith(file.slice(1)) : path === file) && shows.exec(text)
      if (!match) continue
      const folder = posix.dirname(path)
      const module = path.replace(/\.\w+$/, '').replaceAll('/', '.')
      const filled = command
        .replace('$1', () => (match[1] ?? '').replaceAll('\\/', '/'))
        .replace('./$folder', () => (folder === '.' ? '.' : `./${folder}`))
        .replace('$file', () => path)
        .replace('$module', () => module)
      return { command: filled, port }
    }
  return { command: null, port: starts[0]?.port ?? 3000 }
}

interface DeclaredRoute extends Route {
  readonly source: Source
}

/** Lists the routes that a source declares. Prefixes are joined where a file, a block or a mount gives them. */
function findRoutes(family: Family, source: Source, sources: readonly Source[]): DeclaredRoute[] {
  const { path: file, text } = source
  const own = family.ownPrefix?.exec(text)?.groups?.['prefix'] ?? ''
  const mounts = sources.flatMap((one) =>
    (family.mounts ?? []).flatMap((pattern) => [...one.text.matchAll(pattern)]),
  )
  const declared = family.routes.flatMap((pattern) => [...text.matchAll(pattern)])
  const routes = declared.map(({ groups = {}, index }): DeclaredRoute => {
    const { path = '', method = '', rest = '', receiver = '' } = groups
    const names = [receiver, posix.parse(file).name, posix.basename(posix.dirname(file))]
    const isApplication = /^(?:app|application|server|fastify|api)$/.test(receiver)
    const mount = mounts.find(({ groups: mounted = {} }) => isNamedAfter(mounted['router'] ?? '', names))
    const prefixes = [
      isApplication ? '' : (mount?.groups?.['prefix'] ?? ''),
      ...blocksAround(family, text, index),
      own,
    ]
    const inApi = file.endsWith('routes/api.php') ? 'api' : ''
    const slash = /[^/]\/$/.test(path) && family.language === 'python' ? '/' : ''
    return { path: joinPaths(inApi, ...prefixes, path) + slash, methods: methodsOf(method, rest), source }
  })
  const byFile = fileRoutes
    .map((pattern) => pattern.exec(file)?.groups)
    .filter((groups) => groups !== undefined)
  return [
    ...routes,
    ...(family.language === 'node' ? byFile : []).map(({ path = '', dotted = '', method = '' }) => ({
      path: joinPaths(path.replaceAll(/\([^)]*\)/g, ''), dotted.replaceAll('.', '/')),
      methods: methodsOf(method, /export\b[^\n]{0,40}\b(?:POST|GET)\b/.exec(text)?.[0] ?? ''),
      source,
    })),
  ]
}

/** Prefixes of the blocks around a place, by their indentation, outermost first. */
function blocksAround({ block }: Family, text: string, index: number): string[] {
  if (block === undefined) return []
  const [rest = ''] = text.slice(index).split('\n', 1)
  const lines = (text.slice(0, index) + rest).split('\n')
  const indentOf = (line: string) => line.length - line.trimStart().length
  let indent = indentOf(lines.at(-1) ?? '')
  const prefixes: string[] = []
  for (const line of lines.slice(0, -1).reverse()) {
    if (line.trim() === '' || indentOf(line) >= indent) continue
    indent = indentOf(line)
    prefixes.unshift(block.exec(line.trim())?.groups?.['prefix'] ?? '')
  }
  return prefixes
}

/** `callingRouter` is named after `calling.js`; `router` after nothing but itself. */
function isNamedAfter(router: string, names: readonly string[]): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]|routers?|routes?/g, '')
  return names.some(
    (name) => (name !== '' && name === router) || (plain(router) !== '' && plain(name) === plain(router)),
  )
}

function methodsOf(method: string, rest: string): Route['methods'] {
  const words = `${/^(?:post|get)$/i.test(method) ? method : rest}`.toUpperCase()
  const named = (['POST', 'GET'] as const).filter((one) => new RegExp(`\\b${one}\\b`).test(words))
  if (named.length > 0) return named
  return /^(?:api_)?route$/i.test(method) && rest !== '' ? ['GET'] : ['POST', 'GET']
}

function joinPaths(...parts: readonly string[]): string {
  return `/${parts.flatMap((part) => part.split('/').filter((one) => one !== '')).join('/')}`
}

function unique(routes: readonly DeclaredRoute[]): Route[] {
  const known = new Map(routes.toReversed().map(({ path, methods }) => [path, { path, methods }]))
  return [...new Set(routes.map(({ path }) => path))].flatMap((path) => known.get(path) ?? [])
}

/** A source that calls the mint is better evidence than a name. Below 0: no route of the backend. */
function rankAsTokenRoute({ path, methods, source }: DeclaredRoute): number {
  if (path.includes(mintPath)) return -1
  const isCaller = source.text.includes(mintPath) || /\bmint/i.test(source.text)
  const words = [/call/i, /token/i, /signal|rtc|voice|video/i].filter((word) => word.test(path))
  return 2 * words.length + (isCaller ? 2 : 0) + (methods.includes('POST') ? 1 : 0)
}

/** A name alone counts where it says so; a session may be something else than a login. */
function rankAsLogin({ path, methods, source }: DeclaredRoute): number {
  if (!methods.includes('POST') || /call/i.test(path)) return 0
  const isNamed =
    /(?:^|\/)(?:users\/)?(?:log[-_]?in|sign[-_]?in|authenticat(?:e|ion)|auth\/token|token)\/?$/i.test(path)
  const readsPassword =
    /passw|OAuth2PasswordRequestForm/i.test(source.text) && /session|auth|user/i.test(path)
  return (isNamed ? 2 : 0) + (readsPassword ? 1 : 0)
}

function findPort({ ports }: Family, texts: readonly string[]): number | null {
  const written = /^[ \t]*(?:export[ \t]+)?PORT[ \t]*=[ \t]*["']?(?<port>\d{2,5})\b/m
  for (const pattern of [/^php -S [\w.]+:(?<port>\d{2,5})/i, written, ...ports])
    for (const text of texts) {
      const port = Number(pattern.exec(text)?.groups?.['port'])
      if (port > 0 && port < 65_536) return port
    }
  return null
}

/** Names of variables that a source reads, with an asterisk where only the beginning of a name is written. */
function listVariables({ variables }: Family, text: string): string[] {
  const read = variables.flatMap((pattern) => [...text.matchAll(pattern)].map(({ groups = {} }) => groups))
  return read.flatMap(({ name, names = '' }) =>
    name === undefined
      ? [...names.matchAll(/(?:^|,)\s*([A-Za-z_]\w*)/g)].map(([, one = '']) => one)
      : [name.replace('${', () => '*')],
  )
}

/** A source that calls the mint, and reads one variable of the kind, is better evidence than a name. */
function findMintVariables(
  family: Family,
  sources: readonly Source[],
): { url: string | null; key: string | null } {
  const callers = sources.filter(({ text }) => /calling\/token|\bmint/i.test(text))
  const ofCallers = callers.flatMap(({ text }) => listVariables(family, text))
  const everywhere = sources.flatMap(({ text }) => listVariables(family, text))
  const find = (kind: RegExp) => {
    const named = (name: string) => kind.test(name) && /CALL|MINT/i.test(name)
    return (
      ofCallers.find(named) ?? everywhere.find(named) ?? ofCallers.find((name) => kind.test(name)) ?? null
    )
  }
  return { url: find(/(?:URL|URI|HOST|BASE|ENDPOINT|ORIGIN)$/i), key: find(/KEY$/i) }
}

/** The body of a login, by the words around the first password, without those of paths and of PHP's variables. */
function findLoginBody(sources: readonly Source[]): string {
  if (sources.some(({ text }) => text.includes('OAuth2PasswordRequestForm')))
    return 'username={user}&password={password}'
  const isForm = sources.some(({ text }) => /\$_POST\[|\brequest\.(?:POST|form)\b/.test(text))
  const near = sources.flatMap(({ text }) => {
    const words = text.replace(/(['"`])\/[^'"`\n]{0,200}\1|\$(?!_)\w+/g, '').split(/\W+/)
    return words.flatMap((word, at) =>
      /^passw(?:or)?d$/.test(word) ? [words.slice(Math.max(0, at - 20), at + 20)] : [],
    )
  })
  for (const words of near) {
    const login = ['email', 'username', 'user_name', 'login', 'name', 'user'].find((field) =>
      words.includes(field),
    )
    const password = ['password', 'passwd'].find((field) => words.includes(field))
    if (login !== undefined && password !== undefined)
      return isForm
        ? `${login}={user}&${password}={password}`
        : JSON.stringify({ [login]: '{user}', [password]: '{password}' })
  }
  return '{"email":"{user}","password":"{password}"}'
}
