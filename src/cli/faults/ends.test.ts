import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createWorkplace } from '../testing/workplace.ts'

// One request ends the backend, as an uncaught error in an async handler does.

const key = 'ac_live_test_4f9aB27cD1e80GhT'
const sessions = { alice: 'session-of-alice-4711', bob: 'session-of-bob-0815' }

/** @param port below the range of outgoing connections: a client could otherwise connect to itself before the server listens */
const program = (port: number) => `
import { createServer } from 'node:http'
const users = new Map(${JSON.stringify(Object.entries(sessions).map(([user, session]) => [session, user]))})
createServer(async (request, response) => {
  const send = (status, body) => response.writeHead(status).end(JSON.stringify(body))
  if (request.method !== 'POST') return send(404, { error: 'POST only' })
  const userId = users.get(request.headers.authorization.split(' ')[1])
  if (userId === undefined) return send(401, { error: 'no session' })
  const answer = await fetch('http://127.0.0.1:${port + 1}/api/v1/calling/token', {
    method: 'POST',
    headers: { authorization: 'Bearer ${key}', 'content-type': 'application/json' },
    body: JSON.stringify({ userId, ttlSeconds: 900 }),
  })
  if (!answer.ok) return send(502, { error: 'no calling' })
  send(200, { token: (await answer.json()).token })
}).listen(${port}, '127.0.0.1')
`

const described = (port: number) => ({
  backend: {
    url: `http://127.0.0.1:${port}/calling-token`,
    fakeMint: { listen: `127.0.0.1:${port + 1}`, apiKey: key },
    sessions: {
      alice: { userId: 'alice', token: sessions.alice },
      bob: { userId: 'bob', token: sessions.bob },
    },
  },
})

const run = ['run', '--only', 'BACK-01,BACK-02']

test.concurrent('it is started again, and fails the requirement of the case that ends it twice', async () => {
  const port = 21_310
  await using place = await createWorkplace({ ...described(port), start: { command: 'node backend.mjs' } })
  await place.write('backend.mjs', program(port))
  const { code, stdout, stderr } = await place.start(run).ended
  expect(stdout).toMatch(/saw the backend exit twice, each time during no session/)
  const { checks } = await place.results()
  expect(checks.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(['BACK-01 pass', 'BACK-02 fail'])
  expect(stderr).toMatch(/meanwhile start\.command exited with code 1 and was started again \(\d+ times\)/)
  expect(code).toBe(1)
})

test.concurrent('where nothing starts it again, it is one outage with the case', async () => {
  const port = 21_320
  await using place = await createWorkplace({ ...described(port), limits: { patienceSeconds: 2 } })
  await place.write('backend.mjs', program(port))
  await using backend = startBackend(place.folder)
  await backend.isUp(port)
  const { code, stdout } = await place.start([...run.slice(0, 2), 'BACK-01,BACK-02,BACK-03']).ended
  const { checks } = await place.results()
  expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  expect(stdout).toMatch(
    /is incomplete: The backend stopped serving during .+ session.*: 2 of 3 requirements/,
  )
  expect(code).toBe(3)
})

function startBackend(folder: string) {
  const child = spawn(process.execPath, ['backend.mjs'], { cwd: folder, stdio: 'ignore' })
  return {
    async isUp(port: number) {
      const headers = { authorization: 'Bearer x' }
      const ask = () => fetch(`http://127.0.0.1:${port}`, { headers }).catch(() => null)
      while (child.exitCode === null) if ((await ask()) !== null) return
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.kill()) await once(child, 'exit')
    },
  }
}
