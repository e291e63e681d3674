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
  const declared = sources.flatMap((source) => [
    ...findCalls(source, mounts),
    ...findDecorated(source),
    ...findInRails(source),
    ...findInSinatra(source),
    ...findInDjango(source, mounts),
    ...findByFile(source),
  ])
  // A path that a source compares may also be that of a request which it sends.
  return [...declared, ...sources.flatMap(findCompared)]
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
  const ofDjango = text.matchAll(/\bpath\(\s*['"]([^'"]*)['"]\s*,\s*include\(\s*\(?['"]([\w.]+)\.urls['"]/g)
  return [...used, ...ofDjango].map(([, prefix = '', router = '']) => ({ prefix, router })).concat(included)
}

/** The prefix among the arguments of a router of FastAPI. */
function prefixIn(list: string): string {
  return /\bprefix\s*=\s*['"]([^'"]*)['"]/.exec(list)?.[1] ?? ''
}

/**
 * Calls such as `app.post('/path', …)`, decorators such as `@app.post("/path")`, and the same in PHP and Go: `$app->post`,
 * `Route::post`, `mux.HandleFunc("POST /path", …)`, `r.POST("/path", …)`.
 */
function findCalls({ path: file, text }: SourceFile, mounts: readonly Mount[]): Route[] {
  const own = prefixIn(/APIRouter\(([^()]*)/.exec(text)?.[1] ?? '')
  const { name, dir } = posix.parse(file)
  const names = [name, posix.basename(dir)]
  const calls = text.matchAll(
    /\b(\w+)(?:\.|->|::)(post|get|all|any|map|match|route|api_route|use|handle(?:func)?)\(\s*['"`]((?:POST |GET )?)(\/?[^'"`\s]*)['"`](?=([^\n]{0,200}))/gi,
  )
  return [...calls].flatMap(([, receiver = '', call = '', method = '', path = '', rest = '']) => {
    const isLaravel = receiver === 'Route'
    // Paths of Feathers have no slash, unlike the middleware of Express.
    if (!isLaravel && path.startsWith('/') === (call === 'use')) return []
    const isApplication = /^(?:app|application|server|fastify)$/.test(receiver)
    const mount = isApplication
      ? undefined
      : mounts.find(({ router }) => isNamedAfter(router, [receiver, ...names]))
    const prefix = isLaravel && file.endsWith('routes/api.php') ? 'api' : (mount?.prefix ?? '')
    return [{ path: joinPaths(prefix, own, path), methods: methodsOf(method.trim() || call, rest) }]
  })
}

/** `callingRouter` is named after `calling.js`; `router` after nothing but itself. */
function isNamedAfter(router: string, names: readonly string[]): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]|routers?|routes?/g, '')
  return names.some((name) => name === router || (plain(router) !== '' && plain(name) === plain(router)))
}

function methodsOf(call: string, rest: string): Route['methods'] {
  const named = call.toUpperCase()
  if (named === 'POST' || named === 'GET') return [named]
  if (!/^(?:ROUTE|API_ROUTE)$/.test(named)) return ['POST', 'GET']
  const words = [...rest.toUpperCase().matchAll(/['"](\w+)['"]/g)].map(([, name]) => name)
  const methods = (['POST', 'GET'] as const).filter((method) => words.includes(method))
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

/** Lines such as `post '/calling/token' do`. */
function findInSinatra({ path: file, text }: SourceFile): Route[] {
  if (!file.endsWith('.rb')) return []
  return [...text.matchAll(/^[ \t]*(post|get)[ (]+['"](\/[^'"\n]*)['"][^\n]{0,80}\bdo\b/gm)].map(
    ([, method = '', path = '']) => ({ path: joinPaths(path), methods: methodsOf(method, '') }),
  )
}

/** Lines such as `path("calling/token/", views.token)`, below the `include` that names their module. */
function findInDjango({ path: file, text }: SourceFile, mounts: readonly Mount[]): Route[] {
  if (posix.basename(file) !== 'urls.py') return []
  const module = posix.dirname(file).replaceAll('/', '.')
  const mount = mounts.find(({ router }) => router === module || module.endsWith(`.${router}`))
  return [...text.matchAll(/\bpath\(\s*['"]([^'"]*)['"]\s*,(?!\s*include\b)/g)].map(([, path = '']) => ({
    path: joinPaths(mount?.prefix ?? '', path) + (/[^/]\/$/.test(path) ? '/' : ''),
    methods: ['POST', 'GET'],
  }))
}

/** Paths that a source without a router compares with that of the request: `$path === '/calling/token'`, `case "/login":`. */
function findCompared({ text }: SourceFile): Route[] {
  return [...text.matchAll(/(?:===?\s*|\bcase\s+)['"](?:(?:POST|GET) )?(\/[\w/.-]+)['"]/g)].map(
    ([, path = '']) => ({ path, methods: ['POST', 'GET'] }),
  )
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
  return fileRouters.flatMap(({ root, isRoute, prefix = '' }) => {
    const place = `${dir}/`.indexOf(root)
    if (place < 0 || !isRoute(name, text)) return []
    const [last = '', method = ''] = name === '+server' ? [] : name.split(/\.(?=(?:post|get)$)/)
    const above = dir.slice(place + root.length)
    const path = joinPaths(prefix, above, root === 'app/routes/' ? last.replaceAll('.', '/') : last)
    return [{ path, methods: methodsOf(method, '') }]
  })
}

interface FileRouter {
  /** The folder whose files are routes. */
  readonly root: string
  readonly prefix?: string
  isRoute(name: string, text: string): boolean
}

/** Folders in which the place of a file is its path: SvelteKit, Nuxt and Nitro, React Router, Next.js and Astro. */
const fileRouters: readonly FileRouter[] = [
  { root: 'src/routes/', isRoute: (name) => name === '+server' },
  { root: 'server/api/', prefix: 'api', isRoute: (_, text) => /\b(?:define\w*|event)Handler\(/.test(text) },
  { root: 'server/routes/', isRoute: (_, text) => /\b(?:define\w*|event)Handler\(/.test(text) },
  { root: 'app/routes/', isRoute: (_, text) => /\bexport\b[^\n]{0,40}\b(?:action|loader)\b/.test(text) },
  { root: 'pages/api/', prefix: 'api', isRoute: () => true },
  { root: 'src/pages/', isRoute: (_, text) => /\bexport\b[^\n]{0,40}\b(?:POST|GET|ALL)\b/.test(text) },
]

function joinPaths(...parts: readonly string[]): string {
  const joined = parts.flatMap((part) => part.split('/').filter((one) => one !== ''))
  return `/${joined.join('/')}`
}
