import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { givenEnvironment } from '../../base/given-environment.ts'
import { findRoutes, type Route } from './find-routes.ts'
import { type Framework, findFramework } from './frameworks.ts'
import { readSources, type SourceFile } from './read-sources.ts'

/** Facts about the backend in a folder. Null and empty where the sources do not show them. */
export interface FoundBackend {
  readonly framework: Framework
  readonly startCommand: string | null
  readonly port: number
  readonly tokenRoute: Route | null
  readonly login: Route | null
  /** Its JSON, or its form, with {user} and {password}. */
  readonly loginBody: string
  /** Variables through which the backend is given the address and the key of the mint. */
  readonly mintUrlVariable: string | null
  readonly mintKeyVariable: string | null
  /** True where the variable has the whole address of the mint endpoint. */
  readonly isWholeMintUrl: boolean
  /** Other variables that the sources read. */
  readonly variables: readonly string[]
}

/** Finds the backend that is in a folder; null where none of the known frameworks is. Nothing is run or contacted. */
export async function findBackend(directory: string): Promise<FoundBackend | null> {
  const sources = await readSources(directory)
  const known = await findFramework(directory, sources)
  if (known === null) return null
  const { framework, startCommand } = known
  const routes = findRoutes(sources)
  const mint = findMintVariables(sources)
  const named = [mint.url, mint.key]
  return {
    framework,
    startCommand,
    port: await findPort(framework, startCommand, directory, sources),
    tokenRoute: routes.find(({ path }) => isTokenRoute(path)) ?? null,
    login: routes.find(({ path, methods }) => methods.includes('POST') && isLogin(path)) ?? null,
    loginBody: findLoginBody(sources),
    mintUrlVariable: mint.url,
    mintKeyVariable: mint.key,
    isWholeMintUrl: !sources.some(({ text }) => text.includes('api/v1/calling/token')),
    variables: [...new Set(sources.flatMap(({ text }) => listVariables(text)))]
      .filter((name) => !named.includes(name) && !isUsual(name))
      .sort(),
  }
}

function isTokenRoute(path: string): boolean {
  return /call/i.test(path) && /token/i.test(path) && !path.includes('api/v1/calling/token')
}

function isLogin(path: string): boolean {
  return (
    /(?:^|\/)(?:log-?in|sign[-_]?in|sessions?|authenticat(?:e|ion)|auth\/token|token)\/?$/i.test(path) &&
    !isTokenRoute(path)
  )
}

async function findPort(
  { port, language }: Framework,
  startCommand: string | null,
  directory: string,
  sources: readonly SourceFile[],
): Promise<number> {
  const written = await readFile(join(directory, '.env'), 'utf8').catch(() => '')
  const texts = [startCommand ?? '', written, ...sources.map(({ text }) => text)]
  const patterns = [
    /^php -S [\w.]+:(\d{2,5})\b/i,
    /^[ \t]*(?:export[ \t]+)?PORT[ \t]*=[ \t]*["']?(\d{2,5})\b/m,
    ...(language === 'node'
      ? [
          /\bPORT\b['"\]]*\s*(?:\?\?|\|\|)\s*['"]?(\d{2,5})\b/,
          /\.listen\(\s*(\d{2,5})\b/,
          /\bport\s*[:=]\s*(\d{2,5})\b/i,
        ]
      : []),
    ...(language === 'python' ? [/\bport\s*=\s*(\d{2,5})\b/] : []),
    ...(language === 'go' ? [/["']:(\d{2,5})["']/, /\bport\b[^"'\n]{0,40}["'](\d{2,5})["']/i] : []),
  ]
  for (const pattern of patterns)
    for (const text of texts) {
      const found = Number(pattern.exec(text)?.[1])
      if (found > 0 && found < 65_536) return found
    }
  return port
}

const variablePatterns = [
  /\bprocess\.env(?:\.|\[['"`])([A-Za-z_]\w*(?:\$\{)?)/g,
  /\bos\.(?:environ(?:\.get\(|\[)|getenv\()\s*['"]([A-Za-z_]\w*)/g,
  /(?:\$_|\b)ENV(?:\.fetch\(|\[)\s*['"]([A-Za-z_]\w*)/g,
  /\b(?:[Gg]etenv|LookupEnv|env)\(\s*['"]([A-Za-z_]\w*)/g,
]

/**
 * Names of variables that a source reads, with an asterisk where only the beginning of a name is written. Settings classes are
 * not followed.
 */
function listVariables(text: string): string[] {
  const read = variablePatterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name = '']) => name.replace('${', () => '*')),
  )
  const destructured = [...text.matchAll(/\{([^{}]{0,500})\}\s*=\s*process\.env\b/g)].flatMap(
    ([, list = '']) => [...list.matchAll(/(?:^|,)\s*([A-Za-z_]\w*)/g)].map(([, name = '']) => name),
  )
  return [...read, ...destructured]
}

/** Says whether a program gets a variable in any case. */
function isUsual(name: string): boolean {
  return name in givenEnvironment({ [name]: '' }, { environment: [] })
}

/** A source that calls the mint, and reads one variable of the kind, is better evidence than a name. */
function findMintVariables(sources: readonly SourceFile[]): { url: string | null; key: string | null } {
  const all = sources.map(({ text }) => ({
    isCaller: /calling\/token|\bmint/i.test(text),
    names: listVariables(text),
  }))
  const ofCallers = all.filter(({ isCaller }) => isCaller).flatMap(({ names }) => names)
  const everywhere = all.flatMap(({ names }) => names)
  const find = (kind: RegExp) => {
    const named = (name: string) => kind.test(name) && /CALL|MINT/i.test(name)
    return (
      ofCallers.find(named) ?? everywhere.find(named) ?? ofCallers.find((name) => kind.test(name)) ?? null
    )
  }
  return { url: find(/(?:URL|URI|HOST|BASE|ENDPOINT|ORIGIN)$/i), key: find(/KEY$/i) }
}

const loginFields = ['email', 'username', 'user_name', 'login', 'name', 'user']
const passwordFields = ['password', 'passwd', 'pass']

/** A field that a source reads of a request: `body.name`, `params[:name]`, `data.get("name")`, `$_POST['name']`. */
const readField =
  /\b_?(?:body|params|json|form|data|payload|input|POST|request)\b\W{1,6}(?:get\W{1,3})?([a-z_]\w*)/g
/** Names that one statement takes out of an object: `const { name } = await request.json()`. */
const takenApart = /\{([^{}]{0,500})\}\s{0,9}=[^=>]/g

/**
 * The body of a login: by the fields that a source reads of a request, else by the names around the first password beside
 * which one stands. A list of users may come before it.
 */
function findLoginBody(sources: readonly SourceFile[]): string {
  if (sources.some(({ text }) => text.includes('OAuth2PasswordRequestForm')))
    return 'username={user}&password={password}'
  const isForm = sources.some(({ text }) => /\$_POST\[|\brequest\.(?:POST|form)\b/.test(text))
  const read = sources.map(({ text }) => listReadFields(text))
  const near = sources.flatMap(({ text }) => listNearPasswords(text))
  for (const words of [...read, ...near]) {
    const login = loginFields.find((field) => words.includes(field))
    const password = passwordFields.find((field) => words.includes(field))
    if (login !== undefined && password !== undefined)
      return isForm
        ? `${login}={user}&${password}={password}`
        : JSON.stringify({ [login]: '{user}', [password]: '{password}' })
  }
  return '{"email":"{user}","password":"{password}"}'
}

function listReadFields(text: string): string[] {
  const single = [...text.matchAll(readField)].map(([, field = '']) => field)
  const ofRequest = (end: number) => /\b(?:body|json|data|payload)\b/i.test(text.slice(end, end + 200))
  const taken = [...text.matchAll(takenApart)].filter(({ index, 0: { length } }) => ofRequest(index + length))
  const destructured = taken.flatMap(([, list = '']) =>
    list.split(',').map((one) => /\w+/.exec(one)?.[0] ?? ''),
  )
  return [...single, ...destructured]
}

/** Words around each password, without those of paths: `/login` is no field. */
function listNearPasswords(text: string): string[][] {
  const words = text.replace(/(['"`])\/[^'"`\n]{0,200}\1/g, '').split(/\W+/)
  return words.flatMap((word, at) =>
    passwordFields.includes(word) ? [words.slice(Math.max(0, at - 20), at + 20)] : [],
  )
}
