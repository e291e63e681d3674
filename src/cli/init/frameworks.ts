import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { isRecord } from '../../base/tokens/decode.ts'
import type { SourceFile } from './read-sources.ts'

export interface Framework {
  readonly name: string
  readonly language: 'node' | 'python' | 'ruby' | 'php' | 'go' | 'other'
  readonly port: number
}

/** A folder as the tables of frameworks are asked about it. */
interface Folder {
  readonly directory: string
  /** The text of the files that name dependencies. */
  readonly written: string
  readonly sources: readonly SourceFile[]
}

type Manifest = Readonly<Record<string, unknown>>

/** A language's own frameworks, by the dependency that shows each, the more specific first. */
interface Ecosystem {
  readonly language: Framework['language']
  /** Files whose words name the dependencies. */
  readonly files: readonly string[]
  readonly frameworks: readonly (readonly [dependency: string, name: string, port: number])[]
  startCommand(folder: Folder, framework: Framework): string | null
}

const ecosystems: readonly Ecosystem[] = [
  {
    language: 'node',
    files: ['package.json'],
    frameworks: [
      ['@nestjs/core', 'NestJS', 3000],
      ['next', 'Next.js', 3000],
      ['@sveltejs/kit', 'SvelteKit', 5173],
      ['nuxt', 'Nuxt', 3000],
      ['nitropack', 'Nitro', 3000],
      ['astro', 'Astro', 4321],
      ['@react-router/dev', 'React Router', 5173],
      ['@remix-run/dev', 'Remix', 5173],
      ['@adonisjs/core', 'AdonisJS', 3333],
      ['@feathersjs/feathers', 'Feathers', 3030],
      ['fastify', 'Fastify', 3000],
      ['hono', 'Hono', 3000],
      ['koa', 'Koa', 3000],
      ['@hapi/hapi', 'hapi', 3000],
      ['express', 'Express', 3000],
    ],
    startCommand: nodeCommand,
  },
  {
    language: 'python',
    files: ['requirements.txt', 'pyproject.toml', 'Pipfile', 'setup.cfg'],
    frameworks: [
      ['fastapi', 'FastAPI', 8000],
      ['flask', 'Flask', 5000],
      ['django', 'Django', 8000],
      ['quart', 'Quart', 8000],
      ['starlette', 'Starlette', 8000],
    ],
    startCommand: pythonCommand,
  },
  {
    language: 'ruby',
    files: ['Gemfile'],
    frameworks: [
      ['rails', 'Rails', 3000],
      ['sinatra', 'Sinatra', 4567],
    ],
    startCommand: rubyCommand,
  },
  {
    language: 'php',
    files: ['composer.json'],
    frameworks: [
      ['laravel/framework', 'Laravel', 8000],
      ['slim/slim', 'Slim', 8000],
      ['symfony/framework-bundle', 'Symfony', 8000],
      ['', 'PHP', 8000],
    ],
    startCommand: phpCommand,
  },
  { language: 'go', files: ['go.mod'], frameworks: [['', 'Go', 8080]], startCommand: goCommand },
  {
    language: 'other',
    files: ['pom.xml', 'build.gradle', 'build.gradle.kts'],
    frameworks: [['spring-boot', 'Spring Boot', 8080]],
    startCommand: javaCommand,
  },
]

/** The framework that a folder's files name, and the command that starts it; null where none is known. */
export async function findFramework(
  directory: string,
  sources: readonly SourceFile[],
): Promise<{ readonly framework: Framework; readonly startCommand: string | null } | null> {
  const read = (file: string) => readFile(join(directory, file), 'utf8').catch(() => '')
  for (const { language, files, frameworks, startCommand } of ecosystems) {
    const written = (await Promise.all(files.map(read))).join('\n')
    const isThere =
      written !== '' || (language === 'php' && sources.some(({ path }) => path.endsWith('index.php')))
    const known = isThere && frameworks.find(([dependency]) => isNamed(dependency, written.toLowerCase()))
    if (!known) continue
    const [, name, port] = known
    const framework = { name, language, port }
    return { framework, startCommand: startCommand({ directory, written, sources }, framework) }
  }
  return null
}

/** A dependency between marks that belong to no name; the empty one is named everywhere. */
function isNamed(dependency: string, written: string): boolean {
  if (dependency === '') return true
  return written.split(dependency).some((after, at, parts) => {
    const before = parts[at - 1]
    return before !== undefined && !/[\w/@-]$/.test(before) && !/^[\w/]/.test(after)
  })
}

function readManifest(text: string): Manifest {
  try {
    const manifest: unknown = JSON.parse(text)
    return isRecord(manifest) ? manifest : {}
  } catch {
    return {}
  }
}

/** A script that serves; one of a project that compiles first has to be built by hand. */
function nodeCommand({ directory, written }: Folder): string | null {
  const manifest = readManifest(written)
  const scripts = isRecord(manifest['scripts']) ? manifest['scripts'] : {}
  const script = ['start', 'dev', 'serve', 'start:dev'].find((one) => typeof scripts[one] === 'string')
  if (script !== undefined) return script === 'start' ? 'npm start' : `npm run ${script}`
  const main = manifest['main']
  const files = [
    ...(typeof main === 'string' ? [main] : []),
    'server.js',
    'server.mjs',
    'app.js',
    'index.js',
    'src/server.js',
    'src/index.js',
  ]
  const file = files.find((one) => existsSync(join(directory, one)))
  return file === undefined ? null : `node ${file}`
}

const pythonApplication = /^(\w+)(?: ?: ?\w+)? ?= ?(?:Flask|FastAPI|Quart|Starlette)\(/m

function pythonCommand({ directory, sources }: Folder, { name }: Framework): string | null {
  if (name === 'Django')
    return existsSync(join(directory, 'manage.py')) ? 'python3 manage.py runserver --noreload' : null
  for (const { path, text } of sources) {
    const [, application] = pythonApplication.exec(text) ?? []
    if (application === undefined || !path.endsWith('.py')) continue
    const module = path.slice(0, -'.py'.length).replaceAll('/', '.')
    return name === 'Flask'
      ? `python3 -m flask --app ${module}:${application} run`
      : `python3 -m uvicorn ${module}:${application}`
  }
  return null
}

function rubyCommand({ directory, sources }: Folder, { name, port }: Framework): string | null {
  if (name === 'Rails')
    return existsSync(join(directory, 'bin/rails')) ? 'bin/rails server' : 'bundle exec rails server'
  if (existsSync(join(directory, 'config.ru'))) return `bundle exec rackup --port ${port}`
  const classic = sources.find(({ text }) => /^require ['"]sinatra['"]/m.test(text))
  return classic === undefined ? null : `bundle exec ruby ${classic.path}`
}

/**
 * PHP's own server, as Composer's scripts name it or by its usual folders: a script of Composer is ended after five minutes, and
 * `artisan serve` passes no setting on.
 */
function phpCommand({ directory, written }: Folder, { port }: Framework): string | null {
  const [script] = /\bphp -s [^"]+/i.exec(written) ?? []
  if (script !== undefined) return script.replaceAll('\\/', '/')
  const root = ['public', 'web', 'www', '.'].find((one) => existsSync(join(directory, one, 'index.php')))
  return root === undefined ? null : `php -S 127.0.0.1:${port} -t ${root}`
}

function goCommand({ sources }: Folder): string | null {
  const main = sources.find(({ path, text }) => path.endsWith('.go') && /^package main\b/m.test(text))
  return main === undefined ? null : `go run ./${posix.dirname(main.path)}`.replace(/\.\/\.$/, '.')
}

function javaCommand({ directory }: Folder): string {
  const program = (wrapper: string, installed: string) =>
    existsSync(join(directory, wrapper)) ? `./${wrapper}` : installed
  return existsSync(join(directory, 'pom.xml'))
    ? `${program('mvnw', 'mvn')} spring-boot:run`
    : `${program('gradlew', 'gradle')} bootRun`
}
