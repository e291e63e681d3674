import type { Encoding } from '../../src/base/find-secret/find-secret.ts'
import { findSecret } from '../../src/base/find-secret/find-secret.ts'
import type { Reply } from '../../src/base/http/client.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { UserSession } from '../../src/roles/backend/configuration.ts'
import { textsOf } from '../../src/roles/backend/find-in-reply.ts'
import type { RecordedHops } from '../../src/roles/flow/recorded-hops.ts'
import type { DoubleCall } from '../../src/roles/mint/double.ts'
import { describeReply, leaveUndecided } from '../backend/lib/describe-reply.ts'
import { findSoleParts } from '../backend/lib/find-sole-parts.ts'
import { scriptShortLived } from '../backend/lib/with-short-lived-tokens.ts'

/** A mint request, recorded at the double or at a proxy before the mint. */
type MintRequest = Pick<DoubleCall, 'target' | 'headers' | 'body' | 'exchange' | 'issued'>
type RecordedHop = Awaited<ReturnType<RecordedHops['read']>>[number]

type Kind = 'sessionToken' | 'API key' | 'calling JWT'
/** The table omits places that were not searched for a secret. */
type Whereabouts = 'belongs' | 'out of place' | 'not seen'

/** The searched places, in the order of the flow. */
const placeOf = {
  asking: "the app's request",
  bearer: "a mint request's Authorization header",
  minting: 'a mint request, outside its Authorization header',
  minted: "the mint's answer",
  answered: "the backend's answer",
  joining: "signaling's handshake",
  joined: "signaling's frames",
  verifying: 'what signaling asks of the mint',
} as const
const places = Object.values(placeOf)

interface Passage {
  readonly place: string
  readonly text: string
  readonly exchange: string
}

const rules: Readonly<Record<Kind, { readonly expected: string; readonly fix: string }>> = {
  sessionToken: {
    expected: "the sessionToken in the app's request to its own backend only (5.1)",
    fix: 'Do not forward the sessionToken: build the mint request anew, and answer with the calling JWT alone.',
  },
  'calling JWT': {
    expected: 'the calling JWT only from the mint through backend and app to signaling (5.1)',
    fix: 'Return the calling JWT in the body of the response to the app only.',
  },
  'API key': {
    expected: 'the API key in the Authorization header of a mint request only (5.2)',
    fix: "Send the API key in the Authorization header to the mint only, and answer with the backend's own errors.",
  },
}

export default defineCheck({
  id: 'FLOW-04',
  level: 'MUST',
  kind: 'positive',
  clauses: ['5.1', '5.2'],
  basis:
    "The key goes to the mint only, the sessionToken to the customer's API only, the JWT to signaling (5.1, 5.2).",
  title: 'keeps each secret on its permitted hop',
  why: 'The key and the two tokens have different audiences: a secret sent further than needed can be misused by every party that sees it.',
  how: {
    does: [
      'Two users fetch a token and join signaling, and one request fails.',
      "Searches all observed traffic for each secret in plain text, percent-encoded, hexadecimal and base64: the responses to the app, the frames of signaling and, where the backend is pointed at the suite's mint double or runs in a container, the mint requests.",
      "The API key may appear only in the Authorization header of a mint request, the sessionToken only in the app's request, the calling JWT only in the responses of mint and backend and in the signaling handshake.",
      "Records the table of secrets and places; in containers it includes signaling's requests to the mint.",
    ],
    fails: [
      'A secret elsewhere.',
      'A part of a session, of 12 characters or more between . : | _ or %2E, that opens the route alone.',
    ],
    untested: ["Signaling's requests to the mint."],
  },
  mints: 2,
  needs: ['backend', 'bob'],
  async run({ backend, bob, configuration, available }, judge) {
    const double = available('mintDouble')
    const hops = available('hops')
    const signaling = available('signaling')
    const keys = [configuration.mint?.apiKey, configuration.backend?.fakeMint?.apiKey].filter(
      (key) => key !== undefined,
    )
    const users: UserSession[] = [backend.alice, bob]
    const table = new Map<string, Partial<Record<Kind, Whereabouts>>>()
    const note = (kind: Kind, place: string, found: Whereabouts) => {
      const row = table.get(place) ?? {}
      if (row[kind] === undefined || found === 'out of place' || row[kind] === 'not seen') row[kind] = found
      table.set(place, row)
    }
    note('sessionToken', placeOf.asking, 'belongs')
    const issued: string[] = []
    const unserved: Reply[] = []
    /** Sent session tokens of each user, which may be renewed meanwhile. */
    const sent = new Map(users.map((user) => [user, new Set([user.token])]))

    const search = (secret: string, kind: Kind, captured: readonly Passage[]) => {
      for (const { place, text, exchange } of captured) {
        const encoding: Encoding | null = findSecret(text, secret)
        note(kind, place, encoding === null ? 'not seen' : 'out of place')
        judge.must(encoding === null, {
          case: place,
          saw: `the ${kind} in ${place}${encoding === 'plain' || encoding === null ? '' : ` (${encoding})`}`,
          ...rules[kind],
          evidence: [exchange],
          isShown: true,
        })
      }
    }

    const follow = async (user: UserSession, calls: () => readonly DoubleCall[]) => {
      const before = calls().length
      const hopsBefore = (await hops?.read())?.length ?? 0
      const { token: session } = await backend.exactSession(user)
      sent.get(user)?.add(session)
      const served = await backend.request({ session, followRedirects: true })
      const replies = [served, await backend.request({ session: `${session.slice(0, 4)}-no-session` })]
      for (const reply of replies) leaveUndecided(judge, reply, 'in which a secret could be')
      const jwt = backend.tokenOf(served)
      if (jwt === null) unserved.push(served)
      const joined = jwt === null ? undefined : await signaling?.join({ jwt, userId: user.userId })
      const answers = replies.flatMap(textsOfAnswer)
      const said = (joined?.events ?? []).map(({ text }) => ({
        place: placeOf.joined,
        text,
        exchange: joined?.exchange ?? '',
      }))
      const newHops = (await hops?.read())?.slice(hopsBefore) ?? []
      const requests = [
        ...calls().slice(before),
        ...newHops.filter(({ from }) => from === 'backend').map((one) => asCall(one, jwt)),
      ]
      for (const key of keys) {
        search(key, 'API key', [...answers, ...said, ...requests.map(besidesTheBearer)])
        if (requests.some((call) => findSecret(bearerOf(call), key) !== null))
          note('API key', placeOf.bearer, 'belongs')
      }
      const others = [...sent].filter(([other]) => other !== user).flatMap(([, tokens]) => [...tokens])
      const passages = [...requests.flatMap(textsOfRequest), ...said]
      const texts = passages.map(({ text }) => text)
      const soleParts = await findSoleParts(backend, { session, userId: user.userId, texts })
      for (const secret of [session, ...soleParts]) search(secret, 'sessionToken', passages)
      for (const other of others) search(other, 'sessionToken', answers)
      if (jwt === null) return
      issued.push(jwt)
      note('calling JWT', placeOf.answered, 'belongs')
      if (requests.some(({ issued }) => issued === jwt)) note('calling JWT', placeOf.minted, 'belongs')
      if (joined !== undefined) note('calling JWT', placeOf.joining, 'belongs')
      search(jwt, 'calling JWT', requests.flatMap(textsOfRequest))
    }

    if (double === undefined) for (const user of users) await follow(user, () => [])
    else
      await scriptShortLived(double, async (scripted) => {
        for (const user of users) await follow(user, () => scripted.calls())
        scripted.answer(() => ({ status: 500, body: '{}' }))
        for (const user of users) await follow(user, () => scripted.calls())
      })
    const [first] = unserved
    if (issued.length === 0 && first !== undefined)
      throw new ControlLost(`no user was given a token: the backend ${describeReply(first)}`, [
        first.exchange,
      ])
    // Signaling may send any credential to its own mint for verification, so its requests are not judged.
    const asked = ((await hops?.read()) ?? []).filter(({ from }) => from === 'signaling').map(textOf)
    const told = new Set<Kind>()
    const secrets: [Kind, readonly string[]][] = [
      ['sessionToken', [...sent.values()].flatMap((tokens) => [...tokens])],
      ['API key', keys],
      ['calling JWT', issued],
    ]
    for (const [kind, values] of asked.length === 0 ? [] : secrets)
      if (asked.some((text) => values.some((value) => findSecret(text, value) !== null))) told.add(kind)
      else note(kind, placeOf.verifying, 'not seen')
    const looked = places.filter((place) => table.has(place)).map((place) => [place, table.get(place)])
    judge.observe('flow.secretPlaces', Object.fromEntries(looked))
    if (told.size > 0) judge.observe('flow.signalingTellsTheMint', [...told])
  },
})

function textsOfAnswer(reply: Reply): Passage[] {
  return textsOf(reply).map(([, text]) => ({ place: placeOf.answered, text, exchange: reply.exchange }))
}

function asCall(
  { target, requestHeaders, requestBody, responseBody, exchange }: RecordedHop,
  jwt: string | null,
): MintRequest {
  const headers = requestHeaders.map(([name, value]) => [name.toLowerCase(), value] as const)
  const issued = jwt !== null && responseBody.includes(jwt) ? jwt : null
  return { target, headers, body: requestBody, exchange, issued }
}

function textOf({ target, requestHeaders, requestBody, responseBody }: RecordedHop): string {
  const headers = requestHeaders.map(([name, value]) => `${name}: ${value}`)
  return [target, ...headers, requestBody, responseBody].join('\n')
}

function textsOfRequest(call: MintRequest): Passage[] {
  const bearer = { place: placeOf.bearer, text: bearerOf(call), exchange: call.exchange }
  return [bearer, besidesTheBearer(call)]
}

function besidesTheBearer({ target, headers, body, exchange }: MintRequest): Passage {
  const others = headers.filter(([name]) => name !== 'authorization')
  const text = [target, ...others.map(([name, value]) => `${name}: ${value}`), body].join('\n')
  return { place: placeOf.minting, text, exchange }
}

function bearerOf({ headers }: MintRequest): string {
  return headers.find(([name]) => name === 'authorization')?.[1] ?? ''
}
