/** A framework, as an application in it is installed, built and started by its own documentation. */
export interface Framework {
  /** As people know it. */
  readonly title: string
  /** The package whose version is that of the framework. */
  readonly mainPackage: string
  /** Folders of `apps` with its files, each over those before; the last has its mistakes. One of its name where absent. */
  readonly apps?: readonly [string, ...string[]]
  /** Packages of npm, and their versions. */
  readonly npm?: Readonly<Record<string, string>>
  /** Packages of Debian. */
  readonly debian?: readonly string[]
  /** A shell command that prepares the application once, in its folder. */
  readonly build?: string
  /** A shell command that starts the application on `$PORT` and stays in the foreground. */
  readonly start: string
  readonly route: string
  /**
   * The form of its sessions: signed by the application's secret, kept in a store, one key for each user, or access tokens of an
   * OpenID provider, which are JWTs or known to its introspection only.
   */
  readonly sessions: 'signed' | 'stored' | 'keys' | 'jwt' | 'opaque'
  /** All requirements that warn of it; the specification demands nothing that they advise. */
  readonly advised: readonly string[]
  /** Prints a line for each request. */
  readonly logsRequests: boolean
}

const tsc =
  '../node_modules/.bin/tsc main.ts --outDir . --target es2022 --module nodenext --experimentalDecorators --emitDecoratorMetadata --skipLibCheck --noCheck'

/** The login runs beside the application, and its end is the end of both. */
const withLogin = (start: string) => `node login.js & exec ${start}`

const nestPackages = {
  '@nestjs/core': '^12.5.1',
  '@nestjs/common': '^12.5.1',
  '@nestjs/platform-express': '^12.5.1',
  '@nestjs/axios': '*',
  'reflect-metadata': '*',
  rxjs: '^7',
  axios: '^1',
  typescript: '^5',
}

const djangoPackages = ['python3-django', 'python3-djangorestframework', 'python3-requests', 'gunicorn']
const gunicorn =
  '/usr/bin/gunicorn shop.wsgi --bind 127.0.0.1:$PORT --workers 1 --threads 32 --access-logfile -'

export const frameworks: Readonly<Record<string, Framework>> = {
  'express-passport': {
    title: 'Express, Passport',
    mainPackage: 'express',
    npm: {
      express: '^5.3.0',
      cors: '^2.8.5',
      passport: '^0.7.0',
      'passport-jwt': '^4.0.1',
      axios: '^1',
      morgan: '^1',
    },
    start: 'node server.js',
    route: '/calling/token',
    sessions: 'signed',
    advised: ['BACK-02', 'BACK-07', 'BACK-08', 'BACK-12'],
    logsRequests: true,
  },
  fastify: {
    title: 'Fastify',
    mainPackage: 'fastify',
    npm: { fastify: '^5.12.8', '@fastify/cors': '*', '@fastify/jwt': '*' },
    start: 'node server.js',
    route: '/calling/token',
    sessions: 'signed',
    advised: ['BACK-12'],
    logsRequests: true,
  },
  hono: {
    title: 'Hono',
    mainPackage: 'hono',
    npm: { hono: '^4.13.19', '@hono/node-server': '^2.1.9' },
    start: 'node server.js',
    route: '/calling/token',
    sessions: 'signed',
    advised: ['BACK-12'],
    logsRequests: true,
  },
  nest: {
    title: 'NestJS',
    mainPackage: '@nestjs/core',
    npm: { ...nestPackages, '@nestjs/jwt': '^12.0.2' },
    build: tsc,
    start: 'node main.js',
    route: '/calling/token',
    sessions: 'signed',
    advised: ['BACK-02', 'BACK-12'],
    logsRequests: false,
  },
  next: {
    title: 'Next.js',
    mainPackage: 'next',
    npm: { next: '^16.4.6', react: '^19.3.1', 'react-dom': '^19.3.1', jose: '^6' },
    build: 'NEXT_TELEMETRY_DISABLED=1 node ../node_modules/next/dist/bin/next build',
    start:
      'NEXT_TELEMETRY_DISABLED=1 exec node ../node_modules/next/dist/bin/next start --hostname 127.0.0.1 --port $PORT',
    route: '/calling/token',
    sessions: 'signed',
    advised: ['BACK-12'],
    logsRequests: false,
  },
  'express-oidc': {
    title: 'Express, OpenID Connect',
    mainPackage: 'express',
    apps: ['oidc-login', 'express-oidc'],
    npm: { express: '^5.3.0', jose: '^6', 'oidc-provider': '^9.13.3' },
    start: withLogin('node server.js'),
    route: '/calling/token',
    sessions: 'jwt',
    advised: ['BACK-07', 'BACK-08'],
    logsRequests: false,
  },
  'express-introspection': {
    title: 'Express, token introspection',
    mainPackage: 'express',
    apps: ['oidc-login', 'express-introspection'],
    npm: { express: '^5.3.0', 'oidc-provider': '^9.13.3' },
    start: withLogin('node server.js'),
    route: '/calling/token',
    sessions: 'opaque',
    advised: ['BACK-07', 'BACK-08'],
    logsRequests: false,
  },
  'nest-oidc': {
    title: 'NestJS, OpenID Connect',
    mainPackage: '@nestjs/core',
    apps: ['oidc-login', 'oidc-nest', 'express-oidc'],
    npm: { ...nestPackages, jose: '^6', 'oidc-provider': '^9.13.3' },
    build: tsc,
    start: withLogin('node main.js'),
    route: '/calling/token',
    sessions: 'jwt',
    advised: ['BACK-02'],
    logsRequests: false,
  },
  'nest-introspection': {
    title: 'NestJS, token introspection',
    mainPackage: '@nestjs/core',
    apps: ['oidc-login', 'oidc-nest', 'express-introspection'],
    npm: { ...nestPackages, 'oidc-provider': '^9.13.3' },
    build: tsc,
    start: withLogin('node main.js'),
    route: '/calling/token',
    sessions: 'opaque',
    advised: ['BACK-02'],
    logsRequests: false,
  },
  'django-oidc': {
    title: 'Django, OpenID Connect',
    mainPackage: 'python3-django',
    apps: ['oidc-login', 'django', 'django-oidc'],
    npm: { 'oidc-provider': '^9.13.3' },
    debian: [...djangoPackages, 'python3-jwt', 'python3-cryptography'],
    start: withLogin(gunicorn),
    route: '/calling/token/',
    sessions: 'jwt',
    advised: ['BACK-02', 'BACK-07', 'BACK-12'],
    logsRequests: true,
  },
  'django-introspection': {
    title: 'Django, token introspection',
    mainPackage: 'python3-django',
    apps: ['oidc-login', 'django', 'django-introspection'],
    npm: { 'oidc-provider': '^9.13.3' },
    debian: djangoPackages,
    start: withLogin(gunicorn),
    route: '/calling/token/',
    sessions: 'opaque',
    advised: ['BACK-02', 'BACK-07', 'BACK-12'],
    logsRequests: true,
  },
  django: {
    title: 'Django REST framework',
    mainPackage: 'python3-django',
    debian: djangoPackages,
    start:
      '/usr/bin/python3 manage.py migrate -v 0 && /usr/bin/python3 manage.py sign_in && exec /usr/bin/gunicorn shop.wsgi --bind 127.0.0.1:$PORT --workers 2 --threads 16 --access-logfile -',
    route: '/calling/token/',
    sessions: 'keys',
    advised: ['BACK-02', 'BACK-07', 'BACK-12'],
    logsRequests: true,
  },
  rails: {
    title: 'Rails',
    mainPackage: 'ruby-rails',
    debian: ['ruby-rails', 'ruby-sqlite3', 'puma'],
    start: 'exec /usr/bin/puma --bind tcp://127.0.0.1:$PORT --threads 32 config.ru',
    route: '/calling/token',
    sessions: 'stored',
    advised: ['BACK-12', 'FLOW-07'],
    logsRequests: true,
  },
  symfony: {
    title: 'Symfony',
    mainPackage: 'php-symfony-framework-bundle',
    debian: [
      'php-symfony-framework-bundle',
      'php-symfony-security-bundle',
      'php-symfony-http-client',
      'php-symfony-yaml',
      'php-curl',
    ],
    start:
      'PHP_CLI_SERVER_WORKERS=24 exec /usr/bin/php -d curl.cainfo=$SSL_CERT_FILE -d openssl.cafile=$SSL_CERT_FILE -S 127.0.0.1:$PORT index.php',
    route: '/calling/token',
    sessions: 'stored',
    advised: ['BACK-12'],
    logsRequests: false,
  },
}
