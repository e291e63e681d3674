import { expect, test } from 'vitest'
import { loadCatalogue } from '../../catalogue/load-requirements.ts'
import { createWorkplace } from '../testing/workplace.ts'

// The implementation is another process, and all that is known of it is in a file that a person wrote.
interface Served {
  readonly mint: { readonly url: string; readonly jwksUrl: string; readonly keys: Record<string, string> }
  readonly backend: {
    readonly tokenUrl: string
    readonly sessions: Record<string, { readonly token: string }>
  }
  readonly signaling: { readonly url: string }
  readonly caFile: string
}

/** Requirements that still apply to this backend, and cannot be seen from outside. */
const needDouble = (await loadCatalogue(['backend', 'flow']))
  .filter(({ needs }) => needs.includes('mintDouble'))
  .map(({ id }) => id)

// Its backend asks for 15 minutes, and no double between it and the mint could shorten them, or echo the key.
const untested = [...needDouble, 'BACK-08', 'FLOW-03'].toSorted()

test('the reference is not accused from outside', async () => {
  await using place = await createWorkplace('')
  const serving = place.start(['serve', '--json'])
  await serving.says('press Ctrl-C to stop')
  const { mint, backend, signaling, caFile } = JSON.parse(serving.stdout()) as Served
  await place.write(
    'twotoken.yaml',
    `name: another process
mint:
  url: ${mint.url}
  apiKey: ${mint.keys['active']}
  otherProjectKey: ${mint.keys['otherProject']}
  keys:
    trialEnded: ${mint.keys['trialEnded']}
    suspended: { key: ${mint.keys['suspended']}, attested: true }
    capped: ${mint.keys['capped']}
  minTtlSeconds: 1
backend:
  url: ${backend.tokenUrl}
  sessions:
    alice: { token: "${backend.sessions['alice']?.token}", userId: u-Alice }
    aliceSecondDevice: { token: "${backend.sessions['aliceSecondDevice']?.token}", userId: u-Alice }
    bob: { token: { command: "echo ${backend.sessions['bob']?.token}" }, userId: u-Bob }
    expired: { token: "${backend.sessions['expired']?.token}" }
    signedOut: { token: "${backend.sessions['signedOut']?.token}" }
signaling:
  url: ${signaling.url}
  profile:
    success: [ { frame: { path: $.type, equals: welcome } } ]
    declaredUser: { in: query, name: as }
    carriage: { in: subprotocol, protocols: [ calling.v1, "bearer.{jwt}" ] }
    failure: [ { close: [4401] } ]
    unauthorized: [ { close: [4401] } ]
token: { jwks: "${mint.jwksUrl}" }
tls: { ca: "${caFile}" }
absent:
  - { what: switchableMint, reason: the backend is pointed at its real mint }
  - { what: testKey, reason: no key is handed out }
  - { what: hooks, reason: no command may change the parts from outside }
  - { what: logs, reason: they stay on the other machine }
  - { what: callback, reason: signaling reaches nothing outside }
`,
  )
  const { code, stdout, stderr } = await place.start(['run', '--suite', 'mint,backend,signaling,flow']).ended
  expect(stderr).not.toMatch(/^twotoken: |^\s+at /m)
  const { checks } = await place.results()
  const others = checks.filter(({ verdict }) => !['pass', 'info', 'not-applicable'].includes(verdict))
  expect(
    others.map(({ id, verdict }) => `${id} ${verdict}`),
    stdout,
  ).toEqual(untested.map((id) => `${id} untested`))
  expect(checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(7)
  expect(code).toBe(3)
  serving.process.kill('SIGINT')
  expect((await serving.ended).code).toBe(0)
})
