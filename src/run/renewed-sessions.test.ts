import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { createLabeller } from '../base/evidence/hide.ts'
import { hideExchange } from '../base/evidence/hide-exchange.ts'
import { openTempFolder } from '../base/temp-folder.ts'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import { resolveConfiguration } from '../configuration/load.ts'
import { documentedExample, sectionOf } from '../configuration/testing/documented.ts'
import { hideCheck } from '../reports/hide-results.ts'
import { runCheck, sortByTurn } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'

// Sessions that live shorter than a run: the requirements wait for expiry for longer than one of them lives.
const sessionSeconds = 5
const freshEverySeconds = 2
const page = await documentedExample('backend.md', 'backend.sessions.alice.token.freshEverySeconds')
const documented = JSON.stringify(sectionOf(page, 'backend')['sessions'])
const ids = 'BACK-01 BACK-02 BACK-03 BACK-05 BACK-10 BACK-13 BACK-21 FLOW-03 FLOW-04'.split(' ')
const catalogue = (await loadCatalogue()).filter(({ id }) => ids.includes(id))

/** A customer has this script in place of a session: it signs a user in. */
const login = (backend: string, users: unknown) => `#!/usr/bin/env node
const users = ${JSON.stringify(users)}
const { name, password } = users.find(({ name }) => name === process.argv[2])
const body = JSON.stringify({ user: name, password })
fetch('${backend}/login', { method: 'POST', body }).then((reply) => reply.json()).then(({ sessionToken }) => console.log(sessionToken))
`

test('a run outlives its sessions by running their commands again', async () => {
  await using reference = await startReference({ variant: { backend: { sessionSeconds } } })
  await using folder = await openTempFolder()
  await writeFile(join(folder.path, 'login'), login(reference.backend.url, reference.backend.users), {
    mode: 0o700,
  })
  const { alice, bob } = JSON.parse(
    documented
      .replaceAll(/"freshEverySeconds":\d+/g, `"freshEverySeconds":${freshEverySeconds}`)
      .replaceAll(/"(u)-(a|b)/g, (_, u, letter: string) => `"${u}-${letter.toUpperCase()}`),
  )
  const { expired, signedOut } = reference.backend.sessions
  const former = { expired: { token: expired.token }, signedOut: { token: signedOut.token } }
  const written = {
    ...reference.written,
    backend: {
      ...sectionOf(reference.written, 'backend'),
      sessions: { alice, aliceSecondDevice: alice, bob, ...former },
    },
  }
  const configuration = await resolveConfiguration(written, { directory: folder.path, environment: env })
  await using session = await openSession(configuration, { environment: env })
  const results = await Promise.all(sortByTurn(catalogue).map((check) => runCheck(check, session)))
  const used = session.secrets.known('session')
  const hider = createLabeller(session.secrets)
  const recorded = JSON.stringify([
    session.journal.drain().map((one) => hideExchange(one, hider)),
    results.map((one) => hideCheck(one, hider)),
  ])
  const verdicts = results.map(({ id, verdict, reason }) => `${id} ${verdict} ${reason ?? ''}`)
  expect(verdicts.filter((line) => !/ (pass|info) /.test(line))).toEqual([])
  expect(verdicts).toHaveLength(ids.length)
  expect(used.length).toBeGreaterThan(5)
  expect(used.filter((token) => recorded.includes(token))).toEqual([])
})
