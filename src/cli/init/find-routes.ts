import { posix } from 'node:path'
import type { SourceFile } from './read-sources.ts'

/** A route of a backend, as its sources declare it. */
export interface Route {
  readonly path: string
  /** POST and GET, whichever it answers. */
  readonly methods: readonly ('POST' | 'GET')[]
}

/** Lists the routes that sources declare, in their order. Prefixes are joined where a file or a folder gives them. */
export function findRoutes(sources: readonly SourceFile[]): Route[] {
  const mounts = sources.flatMap(({ text }) => findMounts(text))
  return sources.flatMap((source) => [
    ...findCalls(source, mounts),
    ...findDecorated(source),
    ...findInRails(source),
    ...findByFile(source),
  ])
}

/** A prefix under which a router is mounted, by the name of the router or of its file. */
interface Mount {
  readonly prefix: string
  readonly router: string
}

function findMounts(text: string): Mount[] {
  const used = [...text.matchAll(/\.use\(\s*['"`](\/[^'"`]*)['"`]\s*,(?:[^()]*,)?\s*(\w+)/g)]
  const included = [...text.matchAll(/include_router\(([^()]*)/g)].map(([, list = '']) => ({
    prefix: prefixIn(list),
    router: /^\s*(\w+)/.exec(list)?.[1] ?? '',
  }))
  return [...used.map(([, prefix = '', router = '']) => ({ prefix, router })), ...included]
}

/** The prefix among the arguments of a router of FastAPI. */
function prefixIn(list: string): string {
  return /\bprefix\s*=\s*['"]([^'"]*)['"]/.exec(list)?.[1] ?? ''
}

/** Calls such as `app.post('/path', …)`, and decorators such as `@app.post("/path")`. */
function findCalls({ path: file, text }: SourceFile, mounts: readonly Mount[]): Route[] {
  const own = prefixIn(/APIRouter\(([^()]*)/.exec(text)?.[1] ?? '')
  const { name, dir } = posix.parse(file)
  const names = [name, posix.basename(dir)]
  const calls = text.matchAll(
    /\b(\w+)\.(post|get|all|route|api_route)\(\s*['"`](\/[^'"`]*)['"`](?=([^\n]{0,200}))/g,
  )
  return [...calls].map(([, receiver = '', call = '', path = '', rest = '']) => {
    const isApplication = /^(?:app|application|server|fastify)$/.test(receiver)
    const mount = isApplication
      ? undefined
      : mounts.find(({ router }) => isNamedAfter(router, [receiver, ...names]))
    return { path: joinPaths(mount?.prefix ?? '', own, path), methods: methodsOf(call, rest) }
  })
}

/** `callingRouter` is named after `calling.js`; `router` after nothing but itself. */
function isNamedAfter(router: string, names: readonly string[]): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]|routers?|routes?/g, '')
  return names.some((name) => name === router || (plain(router) !== '' && plain(name) === plain(router)))
}

function methodsOf(call: string, rest: string): ('POST' | 'GET')[] {
  if (call === 'post') return ['POST']
  if (call === 'get') return ['GET']
  if (call === 'all') return ['POST', 'GET']
  const named = [...rest.toUpperCase().matchAll(/['"](\w+)['"]/g)].map(([, name]) => name)
  const methods = (['POST', 'GET'] as const).filter((method) => named.includes(method))
  return methods.length > 0 ? methods : ['GET']
}

/** Controllers of NestJS and Spring. */
function findDecorated({ text }: SourceFile): Route[] {
  const [, prefix = ''] =
    /@(?:Controller|RequestMapping)\(\s*(?:path\s*=\s*)?['"`]([^'"`]*)['"`]/.exec(text) ?? []
  const handlers = text.matchAll(/@(Post|Get)(?:Mapping)?\(\s*(?:['"`]([^'"`]*)['"`])?/g)
  return [...handlers].map(([, method = '', path = '']) => ({
    path: joinPaths(prefix, path),
    methods: [method === 'Post' ? 'POST' : 'GET'],
  }))
}

/** Lines such as `post "calling/token", to: "calls#create"`, below the scopes and namespaces around them. */
function findInRails({ path: file, text }: SourceFile): Route[] {
  if (!file.endsWith('routes.rb')) return []
  const routes: Route[] = []
  const blocks: string[] = []
  for (const line of text.split('\n').map((one) => one.trim())) {
    const [, method, path = ''] = /^(post|get|match)[ (]+['"]([^'"]+)['"]/.exec(line) ?? []
    const [, resource] = /^resources? :(\w+)/.exec(line) ?? []
    if (method !== undefined)
      routes.push({
        path: joinPaths(...blocks, path),
        methods: method === 'post' ? ['POST'] : method === 'get' ? ['GET'] : ['POST', 'GET'],
      })
    if (resource !== undefined)
      routes.push({ path: joinPaths(...blocks, resource), methods: ['POST', 'GET'] })
    const [, prefix = ''] = /^(?:scope|namespace)[ (]+(?:path: )?[:'"]+([\w/-]+)/.exec(line) ?? []
    if (/\bdo(?: \|\w+\|)?$/.test(line)) blocks.push(prefix)
    else if (line === 'end') blocks.pop()
  }
  return routes
}

/** Files such as `app/api/calling/token/route.ts` and `pages/api/calling/token.ts` of Next.js. */
function findByFile({ path: file, text }: SourceFile): Route[] {
  const { name, dir } = posix.parse(file)
  const folders = dir.split('/')
  const inApp = folders.slice(folders.indexOf('app') + 1).filter((folder) => !folder.startsWith('('))
  if (name === 'route' && folders.includes('app')) {
    const isPost = /export\s+(?:async\s+function|const)\s+POST\b/.test(text)
    return [{ path: joinPaths(...inApp), methods: isPost ? ['POST'] : ['GET'] }]
  }
  const pages = folders.indexOf('pages')
  if (pages < 0 || folders[pages + 1] !== 'api') return []
  return [{ path: joinPaths(...folders.slice(pages + 1), name), methods: ['POST', 'GET'] }]
}

function joinPaths(...parts: readonly string[]): string {
  const joined = parts.flatMap((part) => part.split('/').filter((one) => one !== ''))
  return `/${joined.join('/')}`
}
