import { defineCheck } from '../../src/requirement/define.ts'
import type { Place } from '../../src/roles/client/types.ts'
import { findLeaks } from './lib/find-leaks.ts'

export default defineCheck({
  id: 'CLI-17',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.1'],
  basis: 'The API key is never placed in an app or sent to a client (2.1.1).',
  title: 'exposes no server key at run time',
  why: 'A key assembled at run time is in no file of the bundle and yet available to every user.',
  how: {
    does: [
      'A user signs in and connects.',
      'Audits every page, script, source map, worker (blob workers too), storage (local, session, IndexedDB, caches), cookie, console line and request as a bundle would be.',
    ],
    fails: ["A server key, in plain text or encoded, or a call of the mint's path on the mint's host."],
    warns: ['The prefix of a server key, bare or in pieces.'],
  },
  needs: ['client', 'journey'],
  async run({ client, journey, configuration }, judge) {
    const { captured, notAttempted } = await journey()
    const { mint, bundle } = configuration
    const mintHost = bundle?.mintHost ?? (mint && new URL(mint.url).host)
    const looked: Partial<Record<Place, number>> = {}
    judge.passed()
    for (const { capture, leaks, hints, unread } of await findLeaks(captured, mintHost)) {
      const { place, name, exchange } = capture
      looked[place] = (looked[place] ?? 0) + 1
      if (unread !== null) judge.untested(`${place} (${name}) was not read whole: ${unread}`)
      for (const { kind, shown, decoder } of leaks)
        judge.must(kind !== 'key' && kind !== 'mint-call', {
          case: `${place} (${name}, ${decoder})`,
          saw: `${kind === 'key' ? `the server key ${shown}` : 'a mint call'} in ${place} (${name}, ${decoder})`,
          expected:
            kind === 'key'
              ? 'no server key in a running client (2.1.1)'
              : 'mint calls from the backend only (4.1)',
          fix: 'Remove the key from the client and revoke it.',
          evidence: exchange === '' ? [] : [exchange],
        })
      for (const { shown, decoder } of hints)
        judge.advisory(false, {
          case: `${place} (${name}, ${decoder})`,
          saw: `the prefix of a server key, bare or in pieces (${shown}), in ${place} (${name}, ${decoder})`,
          expected: 'no server key in a running client, whole or in pieces (2.1.1)',
          fix: 'Remove the key from the client; only a guard that compares with the prefix may stay.',
          evidence: exchange === '' ? [] : [exchange],
        })
    }
    judge.observe('client.auditedAtRunTime', looked)
    if (notAttempted !== null) throw notAttempted
    if (client.kind !== 'page')
      judge.untested(
        `the memory and storage of a ${client.kind === 'program' ? 'program' : 'device'} cannot be observed; PKG-01 audits its bundle`,
      )
  },
})
