import { defineCheck } from '../../src/requirement/define.ts'
import type { Place } from '../../src/roles/client/capture-types.ts'
import { findLeaks } from './find-leaks.ts'

export default defineCheck({
  id: 'CLI-17',
  role: 'client',
  level: 'MUST',
  clauses: ['2.1.1'],
  title: 'holds no server key while it runs',
  why: 'A key that is put together at run time is in no file of the bundle, and in the hands of every user all the same.',
  how:
    'A user signs in and connects. Every page, script, source map, worker (also one made of a blob), storage ' +
    '(local, session, IndexedDB, caches), cookie, console line and request is audited as a bundle would be: no ' +
    "server key in it, in plain text or encoded, and no call of the mint's path on the mint's host.",
  needs: ['client'],
  async run({ client, configuration }, judge) {
    await using app = await client.open()
    await app.signIn()
    await app.connect()
    const dialled = await app.dialled().then(
      () => null,
      (error: unknown) => error,
    )
    await app.quiet()
    const { mint, bundle } = configuration
    const mintHost = bundle?.mintHost ?? (mint && new URL(mint.url).host)
    const looked: Partial<Record<Place, number>> = {}
    judge.must(true, { saw: '', expected: '' })
    for (const { place, name, text, exchange } of await app.taps()) {
      looked[place] = (looked[place] ?? 0) + 1
      for (const { kind, shown, decoder } of await findLeaks(text, name, mintHost))
        judge.must(kind !== 'key' && kind !== 'mint-call', {
          saw: `${kind === 'key' ? shown : 'a call of the mint'} in ${place} (${name}, ${decoder})`,
          expected:
            kind === 'key' ? 'no server key in a running client' : 'the backend alone to call the mint',
          evidence: exchange === '' ? [] : [exchange],
        })
    }
    judge.observe('client.auditedAtRunTime', looked)
    if (dialled !== null) throw dialled
    if (!client.seesEverything)
      judge.untested(`what a ${client.kind} holds cannot be seen; an audit of its bundle (PKG-01) tells more`)
  },
  catches: {
    'a key in a script': { client: { variant: 'key in a script' } },
    'a key in a script in base64': { client: { variant: 'key in a script in base64' } },
    'a key in a script in hexadecimal': { client: { variant: 'key in a script in hex' } },
    'a key that a script puts together': { client: { variant: 'key put together by a script' } },
    'a key in a source map': { client: { variant: 'key in a source map' } },
    'a key on the console': { client: { variant: 'key on the console' } },
    'a key in localStorage': { client: { variant: 'key in localStorage' } },
    'a key in sessionStorage in base64': { client: { variant: 'key in sessionStorage in base64' } },
    'a key in a cookie': { client: { variant: 'key in a cookie' } },
    'a key in IndexedDB': { client: { variant: 'key in IndexedDB' } },
    'a key in a cache': { client: { variant: 'key in a cache' } },
    'a key in a worker': { client: { variant: 'key in a worker' } },
    'a key in a worker made of a blob': { client: { variant: 'key in a worker made of a blob' } },
    'a key in a request': { client: { variant: 'key in a request' } },
  },
})
