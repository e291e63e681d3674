import { describe, expect, test } from 'vitest'
import { detected } from './testing/detect-loopback.ts'
import { bearerOf, queryOf, told, welcome } from './testing/read-requests.ts'

const timeout = 120_000

describe('finds nothing, and says why, where', { concurrent: true, timeout }, () => {
  test('everybody is let in', async () => {
    const found = await detected(() => ({ open: (socket) => socket.send(welcome) }))
    expect(found).toContain('takes every connection')
  })

  test('everybody is refused', async () => {
    expect(await detected(() => ({ status: () => 401 }))).toContain('answers 401 whatever is offered')
  })

  test('there is no such path', async () => {
    expect(await detected(() => ({ status: () => 404 }))).toContain(
      'whether the path of signaling.url is right',
    )
  })

  test('everything is sent back', async () => {
    const found = await detected(() => ({
      message: (socket, text) => socket.send(text),
    }))
    expect(found).toContain('takes every connection')
  })

  test('everything is answered with what it held', async () => {
    const found = await detected(() => ({
      open: (socket, request) => socket.send(JSON.stringify({ headers: request.headers, url: request.url })),
    }))
    expect(found).toEqual(expect.any(String))
  })

  test('a good token is only tolerated for a while', async () => {
    const found = await detected(({ userOf }) => ({
      message: (socket, text) => {
        if (userOf(told(text).token) === undefined) socket.close(4400)
      },
      open: (socket) => void setTimeout(() => socket.close(4408), 1000),
    }))
    expect(found).toContain('takes every connection')
  })

  test('chance decides', async () => {
    const found = await detected(() => ({
      status: () => (Math.random() < 0.5 ? 401 : 101),
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toEqual(expect.any(String))
  })

  test('all who come from an address that failed are refused', async () => {
    let failures = 0
    const found = await detected(({ userOf }) => ({
      status: (request) => {
        if (failures > 5) return 401
        const isGood = userOf(queryOf(request, 'token')) !== undefined
        if (!isGood) failures += 1
        return isGood ? 101 : 401
      },
    }))
    expect(found).toContain('answers 401 whatever is offered')
  })

  test('a limit on the rate does not end', async () => {
    let tries = 0
    const found = await detected(() => ({ status: () => (++tries > 6 ? 429 : 401) }))
    expect(found).toBe('signaling limits how often it may be asked')
  })

  test('the length of a token makes the difference, and nothing else', async () => {
    const found = await detected(() => ({
      status: (request) => ((bearerOf(request)?.length ?? 0) > 60 ? 101 : 401),
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toEqual(expect.any(String))
  })

  test('nobody needs a token, and only garbage is refused', async () => {
    const found = await detected(({ userOf }) => ({
      status: (request) =>
        bearerOf(request) !== undefined && userOf(bearerOf(request)) === undefined ? 401 : 101,
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toContain('takes every connection')
  })

  test('more would have to be tried than was allowed', async () => {
    expect(await detected(() => ({ status: () => 401 }), { attempts: 10 })).toContain('within 10 attempts')
    expect(await detected(() => ({ status: () => 401 }), { mints: 3 })).toContain('with 3 calling tokens')
  })
})
