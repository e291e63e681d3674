import { describe, expect, test } from 'vitest'
import { detectAt } from './testing/detect-loopback.ts'
import { parseMessage, readBearer, readParameter, welcome } from './testing/read-requests.ts'

describe('finds nothing, and says why, where', { concurrent: true }, () => {
  test('every client is accepted', async () => {
    const found = await detectAt(() => ({ open: (socket) => socket.send(welcome) }))
    expect(found).toContain('no tried carriage')
  })

  test('every client is refused', async () => {
    expect(await detectAt(() => ({ status: () => 401 }))).toContain('answered 401 without a token')
  })

  test('there is no such path', async () => {
    expect(await detectAt(() => ({ status: () => 404 }))).toContain('check the path of signaling.url')
  })

  test('everything is sent back', async () => {
    const found = await detectAt(() => ({
      message: (socket, text) => socket.send(text),
    }))
    expect(found).toContain('no tried carriage')
  })

  test('everything is answered with what it held', async () => {
    const found = await detectAt(() => ({
      open: (socket, request) => socket.send(JSON.stringify({ headers: request.headers, url: request.url })),
    }))
    expect(found).toEqual(expect.any(String))
  })

  test('a good token is only tolerated for a while', async () => {
    const found = await detectAt(({ userOf, after }) => ({
      message: (socket, text) => {
        if (userOf(parseMessage(text).token) === undefined) socket.close(4400)
      },
      open: (socket) => after(1000, () => socket.close(4408)),
    }))
    expect(found).toContain('no tried carriage')
  })

  test('chance decides', async () => {
    const found = await detectAt(() => ({
      status: () => (Math.random() < 0.5 ? 401 : 101),
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toEqual(expect.any(String))
  })

  test('every client of an address that failed is refused', async () => {
    let failures = 0
    const found = await detectAt(({ userOf }) => ({
      status: (request) => {
        if (failures > 5) return 401
        const isGood = userOf(readParameter(request, 'token')) !== undefined
        if (!isGood) failures += 1
        return isGood ? 101 : 401
      },
    }))
    expect(found).toContain('answered 401 without a token')
  })

  test('the length of a token makes the difference, and nothing else', async () => {
    const found = await detectAt(() => ({
      status: (request) => ((readBearer(request)?.length ?? 0) > 60 ? 101 : 401),
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toEqual(expect.any(String))
  })

  test('no client needs a token, and only garbage is refused', async () => {
    const found = await detectAt(({ userOf }) => ({
      status: (request) =>
        readBearer(request) !== undefined && userOf(readBearer(request)) === undefined ? 401 : 101,
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toContain('no tried carriage')
  })

  test('more would have to be tried than was allowed', async () => {
    expect(await detectAt(() => ({ status: () => 401 }), { attempts: 10 })).toContain(
      'within so many attempts',
    )
    expect(await detectAt(() => ({ status: () => 401 }), { mints: 3 })).toContain(
      'with so many calling tokens',
    )
  })
})
