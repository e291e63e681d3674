import { version } from '../../base/version.ts'
import {
  type BackendPlan,
  doubleKey,
  doubleVariables,
  type Login,
  secretVariables,
  type TestUser,
  trustingCommand,
  variableOf,
} from './backend-plan.ts'

export const loginFile = 'twotoken-login.mjs'

/** A text of the file that is not replaced by a variable. */
const quote = (text: string) => JSON.stringify(text.replaceAll('${', () => '$${'))

/** `twotoken.yaml` of a backend. The ids are those that the mint double saw, or a guess. */
export function renderConfiguration(
  plan: BackendPlan,
  userIds: Readonly<Record<TestUser, string>> | null,
): string {
  const { name, startCommand, url, method, mintUrlVariable, variables, tls } = plan
  const ids = userIds ?? plan.users
  const checked =
    userIds === null
      ? 'correct it: the id that the backend mints for'
      : 'as the backend minted in the first run'
  const session = (key: string, user: TestUser) => [
    `    ${key}:`,
    `      token: ${tokenOf(plan, user)}`,
    `      userId: ${quote(ids[user])} # ${checked}`,
  ]
  const isStarted = startCommand !== null
  const assigned = doubleVariables(plan).map(([variable, value]) => `${variable}=${value}`)
  const fakeMint = `{ listen: ${plan.doubleAddress}, apiKey: ${doubleKey}${tls ? ', tls: true' : ''} }`
  return `${[
    '# yaml-language-server: $schema=./node_modules/twotoken/schema/twotoken.schema.json',
    `name: ${quote(name)}`,
    ...(isStarted
      ? [
          '',
          '# Runs in this folder for the time of a run, with the mint double in place of the mint.',
          'start:',
          `  command: ${quote([...assigned, trustingCommand(plan)].join(' '))}`,
        ]
      : []),
    ...(isStarted && variables.length > 0
      ? [
          '',
          '# Variables that the backend reads: it gets no others, but PATH and the like.',
          `environment: [${variables.join(', ')}]`,
        ]
      : []),
    '',
    'backend:',
    `  url: ${quote(url)}`,
    `  method: ${method}`,
    '  sessions:',
    ...session('alice', 'alice'),
    ...(plan.login.kind === 'variables' ? [] : session('aliceSecondDevice', 'alice')),
    ...session('bob', 'bob'),
    ...(mintUrlVariable === null
      ? []
      : [
          `  # The suite's own mint${isStarted ? '' : `: start the backend with ${assigned.join(' ')}`}.`,
          `  fakeMint: ${fakeMint}`,
        ]),
  ].join('\n')}\n`
}

function tokenOf({ login, users }: BackendPlan, user: TestUser): string {
  if (login.kind === 'variables') return `"\${${variableOf(user, login)}}"`
  const name = shellQuote(users[user])
  const command =
    login.kind === 'http'
      ? `node --env-file-if-exists=.env ${loginFile} ${name} ${variableOf(user, login)}`
      : login.command.replaceAll('{user}', () => name)
  return `{ command: ${quote(command)} }`
}

function shellQuote(text: string): string {
  return /^[\w@.+:-]+$/.test(text) ? text : `'${text.replaceAll("'", () => "'\\''")}'`
}

/** A program that signs a test user in, for the user to change. */
export function renderLogin({ url, body }: Extract<Login, { kind: 'http' }>): string {
  const isJson = body.trimStart().startsWith('{')
  return `// Signs a test user in and prints the session, for twotoken.yaml: node ${loginFile} LOGIN VARIABLE
const [login, variable] = process.argv.slice(2)
const password = process.env[variable]
if (!password) {
  console.error(\`\${variable} is not set: write the password of \${login} in .env\`)
  // 78: a value is missing, which another try would not change.
  process.exit(78)
}

const body = ${JSON.stringify(body)}
const encode = (text) => ${isJson ? 'JSON.stringify(text).slice(1, -1)' : 'encodeURIComponent(text)'}
const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: { 'Content-Type': '${isJson ? 'application/json' : 'application/x-www-form-urlencoded'}' },
  body: body.replaceAll('{user}', () => encode(login)).replaceAll('{password}', () => encode(password)),
})
if (!response.ok) {
  console.error(\`the login of \${login} was answered with \${response.status}\`)
  // 77: refused, and not to be tried again.
  process.exit([400, 401, 403, 422].includes(response.status) ? 77 : 1)
}
const answer = await response.json().catch(() => null)
if (answer === null || typeof answer !== 'object')
  throw new Error(\`the login of \${login} was answered with \${response.status}, and no JSON object\`)

// The field of the answer that has the session.
const names = ['session', 'sessionToken', 'session_token', 'accessToken', 'access_token', 'token', 'jwt', 'id_token']
const places = [answer, answer.data, answer.user].filter((place) => place !== null && typeof place === 'object')
const session = names.flatMap((name) => places.map((place) => place[name])).find((value) => typeof value === 'string')
if (!session) throw new Error(\`the answer has no session, only \${Object.keys(answer)}: add its field to names\`)
console.log(session)
`
}

/** Lines for \`.env.example\`: names alone. */
export function exampleLines(plan: BackendPlan): string[] {
  return secretVariables(plan).map((name) => `${name}=`)
}

export function envLine(name: string, value: string): string {
  const mark = ["'", '"', '`'].find((one) => !value.includes(one)) ?? "'"
  return `${name}=${mark}${value}${mark}`
}

/** The file of a CI job, and what is left to do by hand. */
export interface Job {
  readonly file: string
  readonly text: string
  readonly advice: string
}

export function renderJob(plan: BackendPlan): Job | null {
  const names = secretVariables(plan)
  const language = plan.framework?.language ?? 'other'
  const command = `npx --yes twotoken@${version} run --suite backend --report junit=twotoken-results/junit.xml`
  if (plan.ci === 'github') {
    const file = '.github/workflows/twotoken.yml'
    const keep =
      names.length === 0
        ? ''
        : `\n        env:\n${names.map((name) => `          ${name}: \${{ secrets.${name} }}`).join('\n')}`
    const advice = names.length === 0 ? '' : `add the secrets ${names.join(' and ')} to the repository`
    return {
      file,
      advice,
      text: `name: twotoken
on: push
permissions:
  contents: read
jobs:
  twotoken:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v7
      - uses: actions/setup-node@v7
        with: { node-version: 24 }
${githubInstall[language]}      - run: ${command}${keep}
      - if: always()
        uses: actions/upload-artifact@v7
        with: { name: twotoken, path: twotoken-results }
`,
    }
  }
  if (plan.ci !== 'gitlab') return null
  const file = '.gitlab/twotoken.yml'
  const set = names.length === 0 ? '' : `, and set the variables ${names.join(' and ')}`
  return {
    file,
    advice: `add "include: { local: ${file} }" to .gitlab-ci.yml${set}`,
    text: `twotoken:
  image: ${gitlabInstall[language].image}
  script:
${gitlabInstall[language].lines.map((line) => `    - ${line}\n`).join('')}    - ${command}
  artifacts:
    when: always
    paths: [twotoken-results]
    reports: { junit: twotoken-results/junit.xml }
`,
  }
}

type Language = NonNullable<BackendPlan['framework']>['language']

const githubInstall: Readonly<Record<Language, string>> = {
  node: '      - run: npm ci\n',
  python:
    '      - uses: actions/setup-python@v6\n        with: { python-version: "3.x" }\n      - run: pip install -r requirements.txt\n',
  ruby: '      - uses: ruby/setup-ruby@v1\n        with: { bundler-cache: true }\n',
  php: '      - run: composer install --no-interaction\n',
  go: '      - uses: actions/setup-go@v6\n        with: { go-version-file: go.mod }\n',
  other: '',
}

const gitlabInstall: Readonly<
  Record<Language, { readonly image: string; readonly lines: readonly string[] }>
> = {
  node: { image: 'node:24-bookworm-slim', lines: ['npm ci'] },
  python: {
    image: 'node:24-bookworm',
    lines: [
      'apt-get update && apt-get install --yes python3-pip',
      'pip install --break-system-packages --requirement requirements.txt',
    ],
  },
  ruby: {
    image: 'node:24-bookworm',
    lines: [
      'apt-get update && apt-get install --yes ruby-full build-essential',
      'gem install bundler && bundle install',
    ],
  },
  php: {
    image: 'node:24-bookworm',
    lines: [
      'apt-get update && apt-get install --yes composer php-cli php-curl php-xml php-mbstring',
      'composer install --no-interaction',
    ],
  },
  go: { image: 'node:24-bookworm', lines: ['apt-get update && apt-get install --yes golang'] },
  other: { image: 'node:24-bookworm-slim', lines: [] },
}
