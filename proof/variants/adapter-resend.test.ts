import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import changesNoUser from '../../suites/signaling/changes-no-open-sockets-user.ts'
import { believing } from '../../suites/signaling/lib/variant-open-sockets.ts'

/** An adapter for the reference's signaling with its credential in a message. */
const adapter = `import WebSocket from ${JSON.stringify(import.meta.resolve('ws'))}

export const declaresUser = true
export async function connect({ url, token, userId }) {
  const socket = new WebSocket(url, { rejectUnauthorized: false })
  const answer = (send) => new Promise((resolve) => {
    // Frames about others come in between.
    socket.on('message', (text) => {
      const { type, userId: identity } = JSON.parse(text)
      if (type === 'welcome') resolve({ accepted: true, identity })
      if (type === 'error') resolve({ accepted: false })
    })
    socket.once('close', () => resolve({ accepted: false, unauthorized: true }))
    send()
  })
  const tell = (token, as) => socket.send(JSON.stringify({ type: 'auth', token: token ?? '', as }))
  const answered = await answer(() => socket.once('open', () => tell(token, userId)))
  return {
    ...answered,
    close: () => socket.close(),
    resend: (again) => answer(() => tell(again.token, again.userId)),
  }
}
`

const cases: readonly (readonly [string, boolean, 'pass' | 'fail'])[] = [
  ['is verified as the first one', false, 'pass'],
  ['is believed unverified', true, 'fail'],
]

test.each(cases)(
  'a second token that an adapter sends, and that %s',
  { timeout: 600_000 },
  async (_, isBelieved, verdict) => {
    const folder = await mkdtemp(join(tmpdir(), 'twotoken-adapter-'))
    const path = join(folder, 'adapter.mjs')
    await writeFile(path, adapter)
    await using reference = await startReference({
      variant: {
        signaling: believing(() => isBelieved),
        configuration: { signaling: { profile: null, adapter: path } },
      },
    })
    await using session = await openSession(reference.configuration, { wait: false })
    const { verdict: found, findings, reason } = await runCheck(changesNoUser, session)
    expect(found, JSON.stringify([reason, findings])).toBe(verdict)
    if (verdict === 'fail')
      expect(findings.map(({ message }) => message).join()).toContain('the client named as that user')
    await rm(folder, { recursive: true })
  },
)
