import { readFileSync } from 'node:fs'
import { readToken } from '../../base/tokens/decode.ts'
import { hmacHashOf } from '../../base/tokens/find-hmac-secret.ts'
import { hmacSigned } from '../../base/tokens/sign-input.ts'
import { version } from '../../base/version.ts'
import {
  type BackendPlan,
  doubleAddress,
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

interface Learnt {
  readonly userIds: Readonly<Record<TestUser, string>>
  readonly hasExpired: boolean
}

/** `twotoken.yaml` of a backend. The ids are a guess before its first start. */
export function renderConfiguration(plan: BackendPlan, learnt: Learnt | null): string {
  const { name, startCommand, url, method, mintUrlVariable, variables, tls } = plan
  const ids = learnt?.userIds ?? plan.users
  const guessed = 'correct it: the id that the backend mints for'
  const checked = learnt === null ? guessed : 'as the backend minted in the first run'
  const session = (key: string, user: TestUser) =>
    `    ${key}:\n      token: ${tokenOf(plan, user)}\n      userId: ${quote(ids[user])} # ${checked}\n`
  const assigned = doubleVariables(plan).map(([variable, value]) => `${variable}=${value}`)
  const start =
    startCommand !== null &&
    `
# Runs in this folder during a run, with the mint double in place of the mint.
start:
  command: ${quote([...assigned, trustingCommand(plan)].join(' '))}
`
  const environment =
    startCommand !== null &&
    variables.length > 0 &&
    `
# Variables passed to the backend, besides PATH and the like.
environment: [${variables.join(', ')}]
`
  const byHand = startCommand === null ? `: start the backend with ${assigned.join(' ')}` : ''
  const fakeMint =
    mintUrlVariable !== null &&
    `  # The mint double${byHand}.
  fakeMint: { listen: ${doubleAddress}, apiKey: ${doubleKey}${tls ? ', tls: true' : ''} }
`
  const expired =
    learnt?.hasExpired === true &&
    `    expired:\n      token: { command: "node --env-file-if-exists=.env ${expiredFile}" }\n`
  const secondDevice = plan.login.kind !== 'variables' && session('aliceSecondDevice', 'alice')
  return `# yaml-language-server: $schema=./node_modules/twotoken/schema/twotoken.schema.json
name: ${quote(name)}
${start || ''}${environment || ''}
backend:
  url: ${quote(url)}
  method: ${method}
  sessions:
${session('alice', 'alice')}${secondDevice || ''}${session('bob', 'bob')}${expired || ''}${fakeMint || ''}${undeclared}`
}

/** Lines for what many backends lack: a requirement that needs it does not apply then. */
const undeclared = `
# Remove the # of each line that is true: its requirements are then not applicable instead of untested.
#absent:
  #- { what: hooks, reason: a sign-out ends no session because the backend verifies them by their signature }
  #- { what: secondDevice, reason: a user has one session at a time }
  #- { what: expiredSession, reason: sessions have no end }
`

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

export function exampleLines(plan: BackendPlan): string[] {
  return secretVariables(plan).map((name) => `${name}=`)
}

export function envLine(name: string, value: string): string {
  const mark = ["'", '"', '`'].find((one) => !value.includes(one)) ?? "'"
  return `${name}=${mark}${value}${mark}`
}

/** Its Debian has current versions of every language. */
const image = 'node:24-trixie'

/** The file of a CI job, and what is left to do by hand. Both services install in one image and run; on GitHub as in docs/ci. */
export function renderJob({ ci, family, ...plan }: BackendPlan) {
  const names = secretVariables(plan)
  const { packages, install } = family?.ci ?? {}
  const installs = [
    ...(packages === undefined ? [] : [`apt-get update && apt-get install --yes ${packages}`]),
    ...(install === undefined ? [] : [install]),
  ]
  const twotoken = `npx --yes twotoken@${version}`
  const run = `${twotoken} run --config twotoken.yaml --suite backend --report`
  const needed = plan.variables.length === 0 ? '' : plan.variables.join(', ')
  if (ci === 'github') {
    const secrets = names.map((name) => `\n          ${name}: \${{ secrets.${name} }}`).join('')
    const comment = needed && `\n          # Set these too, if the backend needs them to start: ${needed}`
    return {
      file: '.github/workflows/twotoken.yml',
      advice: names.length === 0 ? '' : `add the secrets ${names.join(' and ')} to the repository`,
      text: `name: twotoken
on: push
permissions:
  contents: read
jobs:
  twotoken:
    runs-on: ubuntu-latest
    container: ${image}
    steps:
      - uses: actions/checkout@v7
${[...installs, `${run} "markdown=$GITHUB_STEP_SUMMARY"`].map((command) => `      - run: ${command}`).join('\n')}${secrets && `\n        env:${secrets}`}${comment}
      - if: always()
        run: ${twotoken} report twotoken-results/results.json --format github
      - if: always()
        uses: actions/upload-artifact@v7
        with: { name: twotoken, path: twotoken-results }
`,
    }
  }
  if (ci !== 'gitlab') return null
  const file = '.gitlab/twotoken.yml'
  const set = names.length === 0 ? '' : `, and set the variables ${names.join(' and ')}`
  const besides = needed && `, and, if the backend needs them to start, ${needed}`
  return {
    file,
    advice: `add "include: { local: ${file} }" to .gitlab-ci.yml${set}${besides}`,
    text: `twotoken:
  image: ${image}
  script:
${[...installs, `${run} junit=twotoken-results/junit.xml`].map((command) => `    - ${command}`).join('\n')}
  artifacts:
    when: always
    paths: [twotoken-results]
    reports: { junit: twotoken-results/junit.xml }
`,
  }
}

/** Every key of the file. What is switched off begins with `#key`, without a space; `# text` with a space is a remark. */
export const configurationTemplate: string = readFileSync(new URL('template.yaml', import.meta.url), 'utf8')

export const expiredFile = 'twotoken-expired.mjs'

/** A program that prints an expired session, where a variable has the secret that sessions are signed with; else null. */
export function renderExpired(
  session: string,
  variables: Readonly<Record<string, string | undefined>>,
): string | null {
  const read = readToken(session)
  const hash = hmacHashOf(session)
  if (hash === null || read?.format !== 'JWS' || read.claims === null) return null
  const { alg } = read.header
  const input = session.slice(0, session.lastIndexOf('.'))
  const isKey = (key: Buffer) => hmacSigned(input, String(alg), key) === session
  const secrets = Object.entries(variables).flatMap(([name, value = '']) =>
    (['utf8', 'base64'] as const).map((encoding) => ({ name, encoding, key: Buffer.from(value, encoding) })),
  )
  const signing = secrets.find(({ key }) => isKey(key))
  if (signing === undefined) return null
  return `// Prints a session of a test user that ended an hour ago, for twotoken.yaml: the secret is taken from ${signing.name}.
import { createHmac } from 'node:crypto'

const secret = process.env[${JSON.stringify(signing.name)}]
if (!secret) {
  console.error('${signing.name} is not set: write the secret of sessions in .env')
  // 78: a value is missing, which another try would not change.
  process.exit(78)
}
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const end = Math.floor(Date.now() / 1000) - 3600
const claims = ${JSON.stringify(read.claims)}
const input = \`\${encode(${JSON.stringify(read.header)})}.\${encode({ ...claims, iat: end - 3600, exp: end })}\`
console.log(\`\${input}.\${createHmac('${hash}', Buffer.from(secret, '${signing.encoding}')).update(input).digest('base64url')}\`)
`
}
