import { readToken } from '../../base/tokens/decode.ts'
import { hmacHashOf } from '../../base/tokens/find-hmac-secret.ts'
import { hmacSigned } from '../../base/tokens/sign-input.ts'

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
