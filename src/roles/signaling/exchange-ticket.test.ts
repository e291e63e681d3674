import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { serve } from '../../base/http/testing/serve.ts'
import { bad, good, outcomeOf, signalingAt, welcome } from './testing/attempts.ts'
import { startService } from './testing/loopback.ts'

interface Desk extends AsyncDisposable {
  readonly url: string
  readonly asked: { readonly method: string | undefined; readonly headers: IncomingMessage['headers'] }[]
}

/** Exchanges the good token for a ticket, each time another one; anything else has the status. */
async function startDesk(issued: Set<string>, status = 401, body = '{}'): Promise<Desk> {
  const asked: Desk['asked'] = []
  const served = await serve((request, response) => {
    asked.push({ method: request.method, headers: request.headers })
    const { authorization = '', 'x-token': bare = '' } = request.headers
    const isGood = authorization === `Bearer ${good}` || bare === good
    const ticket = `ticket-${issued.size}-of-the-test`
    if (isGood) issued.add(ticket)
    response.writeHead(isGood ? 201 : status).end(isGood ? JSON.stringify({ data: { ticket } }) : body)
  })
  return { ...served, url: `${served.url}/tickets`, asked }
}

/** Lets each ticket in once. */
const startGate = (issued: Set<string>) =>
  startService({
    status: ({ url = '' }) =>
      issued.delete(new URL(url, 'http://x').searchParams.get('ticket') ?? '') ? 101 : 401,
    open: (socket) => socket.send(welcome),
  })

const carriage = { in: 'query', name: 'ticket' } as const
const ticketAt = (url: string) =>
  ({ url, method: 'POST', header: 'Authorization', token: '$.data.ticket' }) as const

test('each connection gets a ticket of its own for its token', async () => {
  const issued = new Set<string>()
  await using desk = await startDesk(issued)
  await using gate = await startGate(issued)
  const signaling = signalingAt(gate, { carriage, ticket: ticketAt(desk.url) })
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect(await outcomeOf(signaling, good)).toMatchObject({ outcome: 'accepted' })
  expect(desk.asked.map(({ method }) => method)).toEqual(['POST', 'POST'])
  const refused = { outcome: 'refused', named: true, unauthorized: true }
  expect(await outcomeOf(signaling, bad)).toMatchObject({ ...refused, summary: 'answered 401' })
  expect(await outcomeOf(signaling, null)).toMatchObject(refused)
  expect(desk.asked).toHaveLength(3)
})

test.each([
  ['an overload', 503, '{}', { named: false, summary: 'answered 503' }],
  [
    'a response without a ticket',
    200,
    '{"data":{}}',
    { named: false, summary: /without a ticket at \$\.data\.ticket/ },
  ],
])('%s decides nothing', async (_, status, body, expected) => {
  const issued = new Set<string>()
  await using desk = await startDesk(issued, status, body)
  await using gate = await startGate(issued)
  const made = await signalingAt(gate, { carriage, ticket: ticketAt(desk.url) }).attempt({ token: bad })
  expect(made).toMatchObject({ outcome: 'refused', undecided: true, named: expected.named })
  expect(made.summary).toMatch(expected.summary)
})

test('a desk that is not there cannot be reached', async () => {
  const issued = new Set<string>()
  await using gate = await startGate(issued)
  const ticket = ticketAt('http://127.0.0.1:1/tickets')
  const made = await signalingAt(gate, { carriage, ticket }).attempt({ token: good })
  expect(made).toMatchObject({ outcome: 'refused', unreachable: true })
})
