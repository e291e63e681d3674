/** How a backend is started: the first of these whose file is there and shows the pattern. */
interface Start {
  /** The path of a file, or `*` and how the name of a source ends. */
  readonly file: string
  readonly shows: RegExp
  /** `$1` is what the pattern captures, `$file`, `$folder` and `$module` are of the file. */
  readonly command: string
  readonly port: number
}

export interface Family {
  readonly language: 'node' | 'python' | 'go' | 'ruby' | 'php' | 'java'
  readonly manifests: readonly string[]
  readonly extensions: readonly string[]
  readonly starts: readonly Start[]
  /** Patterns with the groups `path` and, where it is written, `method`. */
  readonly routes: readonly RegExp[]
  /** The prefix that a file gives all of its routes. */
  readonly ownPrefix?: RegExp
  /** A prefix for the routes below it that are indented further. */
  readonly block?: RegExp
  /** Patterns with the groups `prefix` and `router`: a name of a file, or of what its routes are declared on. */
  readonly mounts?: readonly RegExp[]
  /** Patterns with the group `name`. */
  readonly variables: readonly RegExp[]
  /** Patterns with the group `port`. */
  readonly ports: readonly RegExp[]
  readonly trusts?: readonly string[]
  /** The installs of a CI job: packages of Debian, and the command for the dependencies. */
  readonly ci: { readonly packages?: string; readonly install?: string }
}

const anything = /^/
/** A helper that requires a variable: `requireEnv("X")`, `config.getOrThrow('X')`. */
const helper = /\b\w*(?:[Ee]nv|ENV|getOrThrow)\w*\(\s*['"`](?<name>[A-Z][A-Z0-9_]+)['"`]/g

/** A row for each language. The first whose manifest is there is taken. */
export const families: readonly Family[] = [
  {
    language: 'node',
    ci: { install: 'npm ci' },
    manifests: ['package.json'],
    extensions: ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.jsx', '.tsx'],
    starts: [
      { file: 'package.json', shows: /"start"\s*:/, command: 'npm start', port: 3000 },
      { file: 'package.json', shows: /"(dev|serve|start:dev)"\s*:/, command: 'npm run $1', port: 3000 },
      ...['server.js', 'server.mjs', 'app.js', 'index.js', 'src/server.js', 'src/index.js'].map((file) => ({
        file,
        shows: anything,
        command: `node ${file}`,
        port: 3000,
      })),
    ],
    routes: [
      /\b(?<receiver>\w+)\.(?<method>post|get|all|route)\(\s*['"`](?<path>\/[^'"`\s]*)['"`]/g,
      /@(?<method>Post|Get|All)\(\s*(?:['"`](?<path>[^'"`]*)['"`])?/g,
      /(?:===?\s*|\bcase\s+)['"](?<path>\/[\w/.-]+)['"]/g,
    ],
    ownPrefix: /@Controller\(\s*['"`](?<prefix>[^'"`]*)['"`]/,
    mounts: [/\.(?:use|route)\(\s*['"`](?<prefix>\/[^'"`]*)['"`]\s*,(?:[^()]*,)?\s*(?<router>\w+)/g],
    variables: [
      /\b(?:process|c|ctx|import\.meta|platform)\??\.env\??(?:\.|\[['"`])(?<name>[A-Za-z_]\w*(?:\$\{)?)/g,
      /\{(?<names>[^{}]{0,500})\}\s*=\s*process\.env\b/g,
      helper,
    ],
    ports: [
      /\bPORT\b['"\]]*\s*(?:\?\?|\|\|)\s*['"]?(?<port>\d{2,5})\b/,
      /\.listen\(\s*(?<port>\d{2,5})\b/,
      /\bport\s*[:=]\s*(?<port>\d{2,5})\b/i,
    ],
    trusts: ['NODE_EXTRA_CA_CERTS'],
  },
  {
    language: 'python',
    ci: {
      packages: 'python3-pip',
      install: 'pip install --break-system-packages --requirement requirements.txt',
    },
    manifests: ['requirements.txt', 'pyproject.toml', 'Pipfile', 'setup.cfg', 'manage.py'],
    extensions: ['.py'],
    starts: [
      { file: 'manage.py', shows: anything, command: 'python3 manage.py runserver --noreload', port: 8000 },
      {
        file: '*.py',
        shows: /^(\w+)(?: ?: ?\w+)? ?= ?Flask\(/m,
        command: 'python3 -m flask --app $module:$1 run',
        port: 5000,
      },
      {
        file: '*.py',
        shows: /^(\w+)(?: ?: ?\w+)? ?= ?(?:FastAPI|Quart|Starlette)\(/m,
        command: 'python3 -m uvicorn $module:$1',
        port: 8000,
      },
    ],
    routes: [
      /@(?<receiver>\w+)\.(?<method>post|get|route|api_route)\(\s*['"](?<path>\/?[^'"\s]*)['"](?<rest>[^\n]{0,200})/g,
      /\bpath\(\s*['"](?<path>[^'"]*)['"]\s*,(?!\s*include\b)/g,
    ],
    ownPrefix: /(?:APIRouter|Blueprint)\([^()]*?\b(?:url_)?prefix\s*=\s*['"](?<prefix>[^'"]*)['"]/,
    mounts: [
      /(?:include_router|register_blueprint)\(\s*(?<router>\w+)[^()]*?\b(?:url_)?prefix\s*=\s*['"](?<prefix>[^'"]*)['"]/g,
      /\bpath\(\s*['"](?<prefix>[^'"]*)['"]\s*,\s*include\(\s*\(?['"](?<router>\w+)[\w.]*\.urls['"]/g,
    ],
    variables: [/\bos\.(?:environ(?:\.get\(|\[)|getenv\()\s*['"](?<name>[A-Za-z_]\w*)/g, helper],
    ports: [/\bport\s*=\s*(?<port>\d{2,5})\b/],
    trusts: ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE'],
  },
  {
    language: 'go',
    ci: { packages: 'golang' },
    manifests: ['go.mod'],
    extensions: ['.go'],
    starts: [{ file: '*.go', shows: /^package main\b/m, command: 'go run ./$folder', port: 8080 }],
    routes: [
      /\.(?:Handle|HandleFunc)\(\s*"(?:(?<method>POST|GET) )?(?<path>\/[^"\s]*)"/g,
      /\.(?<method>POST|GET|Post|Get|Any)\(\s*"(?<path>\/[^"\s]*)"/g,
      /\bcase\s+"(?:(?<method>POST|GET) )?(?<path>\/[\w/.-]+)"/g,
    ],
    variables: [/\b(?:Getenv|LookupEnv)\(\s*"(?<name>[A-Za-z_]\w*)/g, helper],
    ports: [/["']:(?<port>\d{2,5})["']/, /\bport\b[^"'\n]{0,40}["'](?<port>\d{2,5})["']/i],
    trusts: ['SSL_CERT_FILE'],
  },
  {
    language: 'ruby',
    ci: { packages: 'ruby-full ruby-bundler build-essential', install: 'bundle install' },
    manifests: ['Gemfile'],
    extensions: ['.rb', '.ru'],
    starts: [
      { file: 'bin/rails', shows: anything, command: 'bin/rails server', port: 3000 },
      { file: 'config.ru', shows: anything, command: 'bundle exec rackup --port 9292', port: 9292 },
      { file: '*.rb', shows: /^require ['"]sinatra['"]/m, command: 'bundle exec ruby $file', port: 4567 },
    ],
    routes: [
      /^[ \t]*(?<method>post|get|match)[ (]+['"](?<path>\/?[^'"\n]+)['"]/gm,
      /^[ \t]*resources? :(?<path>\w+)/gm,
    ],
    block: /^(?:scope|namespace)[ (]+(?:path: )?[:'"]+(?<prefix>[\w/-]+)/,
    variables: [/\bENV(?:\.fetch\(|\[)\s*['"](?<name>[A-Za-z_]\w*)/g, helper],
    ports: [/\bport\s+ENV\.fetch\([^)]*?(?<port>\d{2,5})/],
    trusts: ['SSL_CERT_FILE'],
  },
  {
    language: 'php',
    ci: {
      packages: 'composer php-cli php-curl php-xml php-mbstring',
      install: 'composer install --no-interaction',
    },
    manifests: ['composer.json', 'public/index.php', 'index.php'],
    extensions: ['.php'],
    starts: [
      // PHP's own server: a script of Composer is ended after five minutes, and `artisan serve` passes no setting on.
      { file: 'composer.json', shows: /\b(php -[Ss] [^"]+)/, command: '$1', port: 8000 },
      ...['public', 'web', 'www', '.'].map((folder) => ({
        file: folder === '.' ? 'index.php' : `${folder}/index.php`,
        shows: anything,
        command: `php -S 127.0.0.1:8000 -t ${folder}`,
        port: 8000,
      })),
    ],
    routes: [
      /(?:->|::)(?<method>post|get|any|map|match)\(\s*['"](?<path>\/?[^'"\s]*)['"]/g,
      /#\[Route\(\s*['"](?<path>\/[^'"]*)['"](?<rest>[^\n]{0,200})/g,
      /(?:===?\s*|\bcase\s+)['"](?<path>\/[\w/.-]+)['"]/g,
    ],
    block: /Route::prefix\(\s*['"](?<prefix>[^'"]*)['"]/,
    variables: [
      /\$_(?:ENV|SERVER)\[\s*['"](?<name>[A-Za-z_]\w*)/g,
      /\b(?:getenv|env)\(\s*['"](?<name>[A-Za-z_]\w*)/g,
      helper,
    ],
    ports: [/php -S [\w.]+:(?<port>\d{2,5})/i],
  },
  {
    language: 'java',
    ci: { packages: 'default-jdk maven' },
    manifests: ['pom.xml', 'build.gradle', 'build.gradle.kts'],
    extensions: ['.java', '.kt'],
    starts: [
      { file: 'mvnw', shows: anything, command: './mvnw spring-boot:run', port: 8080 },
      { file: 'pom.xml', shows: anything, command: 'mvn spring-boot:run', port: 8080 },
      { file: 'gradlew', shows: anything, command: './gradlew bootRun', port: 8080 },
      { file: 'build.gradle', shows: anything, command: 'gradle bootRun', port: 8080 },
    ],
    routes: [/@(?<method>Post|Get)Mapping\(\s*(?:(?:path|value)\s*=\s*)?(?:"(?<path>[^"]*)")?/g],
    ownPrefix: /@RequestMapping\(\s*(?:(?:path|value)\s*=\s*)?"(?<prefix>[^"]*)"/,
    variables: [/\bSystem\.getenv\(\s*"(?<name>[A-Za-z_]\w*)/g, /\$\{(?<name>[A-Z][A-Z0-9_]+)(?::[^}]*)?\}/g],
    ports: [/\bserver\.port\s*[=:]\s*(?<port>\d{2,5})/],
  },
]

/** Files whose place is their path: Next.js, SvelteKit, Nuxt and Nitro, React Router and Astro. */
export const fileRoutes: readonly RegExp[] = [
  /(?:^|\/)app\/(?<path>.+)\/route\.[jt]sx?$/,
  /(?:^|\/)pages\/(?<path>api\/.+)\.[jt]sx?$/,
  /(?:^|\/)src\/routes\/(?<path>.+)\/\+server\.[jt]s$/,
  /(?:^|\/)server\/(?<path>api\/.+?)(?:\.(?<method>post|get))?\.[jt]s$/,
  /(?:^|\/)server\/routes\/(?<path>.+?)(?:\.(?<method>post|get))?\.[jt]s$/,
  /(?:^|\/)app\/routes\/(?<dotted>.+)\.[jt]sx?$/,
  /(?:^|\/)src\/pages\/(?<path>.+)\.[jt]s$/,
]
