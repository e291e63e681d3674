import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jwtVerify, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { folderOf } from '../../../audit/src/testing/audit-files.ts'
import { runToEnd } from '../../../fixtures/package/testing/run-to-end.ts'
import { reservePort } from '../../../fixtures/reserve-port.ts'
import { serve } from '../../base/http/testing/serve.ts'
import { loadConfiguration } from '../../configuration/load.ts'
import { learnUserIds } from '../../run/learn-user-ids.ts'
import { initCommand, initialise } from '../commands/init.ts'
import { createEnvironment } from '../environment.ts'
import type { Dialogue } from '../output/terminal.ts'
import { openStreams } from '../testing/streams.ts'
import { renderExpired, renderLogin } from './backend-files.ts'
import { findBackend } from './find-backend.ts'

/** A user who types these lines, and Enter after them; `shown` is what the user saw, `hidden` the questions for secrets. */
function scriptDialogue(lines: readonly string[]) {
  const left = [...lines]
  const shown: string[] = []
  const hidden: string[] = []
  const dialogue: Dialogue = {
    ask: async (question, { isHidden = false, proposal } = {}) => {
      shown.push(proposal === undefined ? question : `${question} [${proposal}]`)
      if (isHidden) hidden.push(question)
      return left.shift() ?? ''
    },
    confirm: async (question, isProposed) => {
      shown.push(question)
      const typed = left.shift() ?? ''
      return typed === '' ? isProposed : typed === 'y'
    },
    choose: async (question, values, proposed) => {
      shown.push(`${question} ${values.join(', ')}`)
      const typed = left.shift() ?? ''
      return values.includes(typed) ? typed : proposed
    },
    say: (text) => void shown.push(text),
  }
  return { dialogue, shown, hidden }
}

const root = join(import.meta.dirname, '../../..')

const nodeProject = (dependency: string) =>
  JSON.stringify({ dependencies: { [dependency]: '1' }, scripts: { dev: 'x' } })
const caller = "fetch(process.env.CALLING_URL + '/api/v1/calling/token', process.env.CALLING_API_KEY)"

test.each([
  {
    title: 'a router that a file of its name is mounted as',
    files: {
      'package.json': nodeProject('express'),
      'src/app.ts':
        "app.use('/api/calls', callsRouter)\napp.post('/login', (q) => q.body.email + q.body.password)\napp.listen(4100)",
      'src/routes/calls.ts': `router.post('/calling-token', handler)\n${caller}`,
    },
    found: {
      startCommand: 'npm run dev',
      port: 4100,
      tokenRoute: { path: '/api/calls/calling-token', methods: ['POST'] },
      login: { path: '/login' },
      loginBody: '{"email":"{user}","password":"{password}"}',
      mintUrlVariable: 'CALLING_URL',
      isWholeMintUrl: false,
    },
  },
  {
    title: 'a variable whose default is the whole address of the mint',
    files: {
      'package.json': nodeProject('hono'),
      'src/index.ts':
        "const mint = c.env.MINT_URL ?? 'https://calls.acme.example/api/v1/calling/token'\napp.post('/rtc/credentials', h)",
    },
    found: { tokenRoute: { path: '/rtc/credentials' }, mintUrlVariable: 'MINT_URL', isWholeMintUrl: true },
  },
  {
    title: 'files of Next.js',
    files: {
      'package.json': nodeProject('next'),
      'app/api/(user)/calling/token/route.ts': 'export async function POST() {}',
    },
    found: { tokenRoute: { path: '/api/calling/token', methods: ['POST'] } },
  },
  {
    title: 'a router of FastAPI with two prefixes, and a form to sign in',
    files: {
      'requirements.txt': 'fastapi==1\n',
      'shop/main.py':
        'api: FastAPI = FastAPI()\napi.include_router(calls.router, prefix="/v1")\nOAuth2PasswordRequestForm\n@api.post("/token")',
      'shop/calls.py':
        'router = APIRouter(prefix="/calling")\n@router.post("/token")\nos.environ["MINT_ENDPOINT"]; os.getenv("MINT_KEY")',
    },
    found: {
      startCommand: 'python3 -m uvicorn shop.main:api',
      port: 8000,
      tokenRoute: { path: '/v1/calling/token' },
      login: { path: '/token' },
      loginBody: 'username={user}&password={password}',
      mintUrlVariable: 'MINT_ENDPOINT',
      mintKeyVariable: 'MINT_KEY',
      isWholeMintUrl: true,
    },
  },
  {
    title: 'routes of Rails',
    files: {
      Gemfile: "gem 'rails'",
      'bin/rails': '',
      'config/routes.rb':
        "  scope '/api' do\n    post 'calling/token', to: 'calls#create'\n  end\n  resource :session",
      'app/services/mint.rb': "ENV.fetch('CALLING_HOST'); ENV['CALLING_KEY']; ENV['REDIS_URL']",
    },
    found: {
      startCommand: 'bin/rails server',
      port: 3000,
      tokenRoute: { path: '/api/calling/token' },
      login: null,
      mintUrlVariable: 'CALLING_HOST',
      mintKeyVariable: 'CALLING_KEY',
      variables: ['REDIS_URL'],
    },
  },
  {
    title: 'routes of Laravel',
    files: {
      'composer.json': '{ "require": { "laravel/framework": "^12" } }',
      'public/index.php': '',
      'routes/api.php': "Route::post('calling/token', Token::class);\nRoute::post('login', Login::class);",
      'config/calling.php': "return ['url' => env('CALLING_URL'), 'key' => env('CALLING_KEY')];",
    },
    found: {
      startCommand: 'php -S 127.0.0.1:8000 -t public',
      tokenRoute: { path: '/api/calling/token', methods: ['POST'] },
      login: { path: '/api/login' },
      mintUrlVariable: 'CALLING_URL',
    },
  },
  {
    title: "handlers of Go's own server",
    files: {
      'go.mod': 'module shop',
      'cmd/api/main.go':
        'package main\nmux.HandleFunc("POST /calling/token", h)\nmux.HandleFunc("/sign-in", h)\nos.Getenv("MINT_URL")\nhttp.ListenAndServe(":8085", mux)',
    },
    found: {
      startCommand: 'go run ./cmd/api',
      port: 8085,
      tokenRoute: { path: '/calling/token', methods: ['POST'] },
      login: { path: '/sign-in', methods: ['POST', 'GET'] },
      mintUrlVariable: 'MINT_URL',
    },
  },
  {
    title: 'Spring Boot',
    files: { 'pom.xml': '<artifactId>spring-boot-starter-web</artifactId>', mvnw: '' },
    found: { startCommand: './mvnw spring-boot:run', port: 8080 },
  },
])('finds $title', async ({ files, found }) => {
  await using made = await folderOf(files)
  const backend = await findBackend(made.folder)
  const likeliest = { tokenRoute: backend?.routes[0], login: backend?.logins[0] ?? null }
  expect({ ...backend, ...likeliest }).toMatchObject(found)
})

test('finds no backend where nothing is started and no route declared', async () => {
  await using made = await folderOf({ 'package.json': '{ broken', 'main.rs': 'fn main() {}' })
  expect(await findBackend(made.folder)).toBeNull()
})

const environmentOf = (directory: string, variables: NodeJS.ProcessEnv = {}) => ({
  ...openStreams(),
  directory,
  variables: { ...createEnvironment(process, []).variables, ...variables },
  color: false,
  onInterrupt: () => undefined,
})

/** Gives the files of a backend that listens on free ports, so that others may be tested at once. */
async function learnOnFreePorts(directory: string, port: number, passwords: NodeJS.ProcessEnv) {
  await using stack = new AsyncDisposableStack()
  const [own, double] = [stack.use(await reservePort()), stack.use(await reservePort())]
  for (const name of (await readdir(directory)).filter((one) => one.startsWith('twotoken'))) {
    const file = join(directory, name)
    const text = (await readFile(file, 'utf8')).replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${own.port}`)
    await writeFile(file, text.replaceAll(/\b94\d\d\b/g, `${double.port}`))
  }
  const given = environmentOf(directory, { ...passwords, PORT: `${own.port}` })
  return await learnUserIds(join(directory, 'twotoken.yaml'), given, new AbortController().signal)
}

test('describes a backend in Express, signs in, and learns for whom it mints', async () => {
  await using made = await folderOf({
    '.gitignore': 'node_modules',
    '.env': 'SESSION_SECRET_2026=long and random\nCALLING_API_KEY=ac_live_of_production_1\n',
  })
  const { folder: directory } = made
  await cp(join(root, 'examples/express-backend'), directory, { recursive: true })
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))
  const environment = environmentOf(directory)
  const options = { yes: true, run: true, ci: 'github', start: 'node --env-file=.env server.mjs' } as const
  // Without the passwords there is no first run.
  expect(await initCommand(options, environment)).toBe(0)
  const { stdout } = environment.written
  expect(stdout).toContain('set ALICE_PASSWORD and BOB_PASSWORD in .env\nnext: npx twotoken doctor\n')
  const read = (file: string) => readFile(join(directory, file), 'utf8')
  const written = await read('twotoken.yaml')
  expect(written).toMatch(
    /CALLING_API_URL=https:\/\/127\.0\.0\.1:94\d\d CALLING_API_KEY=ac_live_made_up_by_twotoken_init/,
  )
  expect(written).toContain('environment: [SESSION_SECRET_*]')
  expect(written + stdout).not.toContain('of_production')
  expect(await read('.gitignore')).toBe('node_modules\n.env\ntwotoken-results\n')
  expect(await read('.env.example')).toContain('ALICE_PASSWORD=\nBOB_PASSWORD=\n')
  expect(await read('.github/workflows/twotoken.yml')).toContain('secrets.BOB_PASSWORD')

  const passwords = { ALICE_PASSWORD: 'made-up-for-alice', BOB_PASSWORD: 'made-up-for-bob' }
  expect(await learnOnFreePorts(directory, 3000, passwords)).toMatchObject({
    alice: 'u-alice',
    bob: 'u-bob',
  })
})

test('keeps a typed password in .env, and shows it nowhere', async () => {
  await using made = await folderOf({
    'package.json': nodeProject('express'),
    'server.js': `app.post('/calling/token', h); app.post('/login', (q) => q.body.name + q.body.password)\n${caller}`,
    '.env': 'ALICE_PASSWORD=kept',
    '.env.example': 'PORT=\n',
    '.gitlab-ci.yml': '',
  })
  const { folder: directory } = made
  const route = ['', '', 'another address', 'nonsense', '', '', '']
  const { dialogue, shown, hidden } = scriptDialogue([...route, 'al', "it's 1", 'bo', "it's 2"])
  const { said, plan } = await initialise({ directory, dialogue })
  expect(plan).toMatchObject({
    url: 'http://127.0.0.1:3000/calling/token',
    users: { alice: 'al', bob: 'bo' },
    tls: true,
    ci: 'gitlab',
  })
  expect(hidden).toHaveLength(2)
  const read = (file: string) => readFile(join(directory, file), 'utf8')
  expect(await read('.env')).toBe('ALICE_PASSWORD=kept\n# Test users of twotoken\nBOB_PASSWORD="it\'s 2"\n')
  expect(await read('.env.example')).toBe('PORT=\n# Test users of twotoken\nALICE_PASSWORD=\nBOB_PASSWORD=\n')
  const names = ['twotoken.yaml', 'twotoken-login.mjs', '.gitlab/twotoken.yml']
  const files = await Promise.all(names.map(read))
  expect([...files, ...said, ...shown].join('\n')).not.toMatch(/it's/)
})

test('proposes lines of what a backend lacks that are valid once their # is gone', async () => {
  await using made = await folderOf({ 'package.json': nodeProject('express'), 'server.js': caller })
  const { folder: directory } = made
  await initialise({ directory, yes: true })
  const file = join(directory, 'twotoken.yaml')
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll(/^( *)#(absent:|- )/gm, '$1$2'))
  const variables = { ALICE_SESSION: 'session-of-alice', BOB_SESSION: 'session-of-bob' }
  const { absent } = await loadConfiguration(file, variables)
  expect(absent.map(({ what }) => what)).toEqual(['hooks', 'secondDevice', 'expiredSession'])
})

test('has a program for an expired session where it knows the secret of sessions', async () => {
  const secret = 'long and random'
  const claims = { sub: 'u-alice', iat: 1, exp: 4_000_000_000 }
  const session = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret))
  expect(renderExpired(session, { OTHER: 'no secret of sessions', EMPTY: '' })).toBeNull()
  expect(renderExpired('an opaque session', { SESSION_SECRET: secret })).toBeNull()
  const program = renderExpired(session, { OTHER: 'x', SESSION_SECRET: secret }) ?? ''
  expect(program).not.toContain(secret)
  await using made = await folderOf({ 'expired.mjs': program })
  const environment = { env: { SESSION_SECRET: secret } }
  const { stdout } = await runToEnd(process.execPath, [join(made.folder, 'expired.mjs')], environment)
  const expired = stdout.trim()
  await expect(jwtVerify(expired, Buffer.from(secret))).rejects.toMatchObject({ code: 'ERR_JWT_EXPIRED' })
  const currentDate = new Date(Date.now() - 2 * 3600_000)
  expect((await jwtVerify(expired, Buffer.from(secret), { currentDate })).payload.sub).toBe('u-alice')
})

test.each([
  [401, '{}', 77, 'the login of alice was answered with 401'],
  [200, 'null', 1, 'the login of alice was answered with 200, and no JSON object'],
  [200, '{"data":null,"user":{}}', 1, 'the answer has no session, only data,user: add its field to names'],
])('the program that signs in says what is wrong with %i %s', async (status, text, code, said) => {
  await using login = await serve((_, response) => void response.writeHead(status).end(text))
  const program = renderLogin({ kind: 'http', url: login.url, body: '{}' })
  await using made = await folderOf({ 'login.mjs': program })
  const given = [join(made.folder, 'login.mjs'), 'alice', 'PASSWORD']
  const ended = await runToEnd(process.execPath, given, { env: { PASSWORD: 'x' } })
  expect(ended).toMatchObject({ code, stderr: expect.stringContaining(said) })
})
