import { expect, test } from 'vitest'
import type { Answer } from '../http/client.ts'
import { readToken } from './decode.ts'
import { lifetimeOf } from './token-lifetime.ts'

const now = Date.UTC(2026, 10, 25, 12)

function issued(iatMs: number, dateMs: number) {
  const iat = iatMs / 1000
  const parts = [{ alg: 'ES256' }, { iat, exp: iat + 60 }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const answer = { headers: [['date', new Date(dateMs).toUTCString()]] as const } as unknown as Answer
  return lifetimeOf(readToken([...parts, 'c2ln'].join('.')), answer, now)
}

test.each([-3_600_000, 3_600_000])('a gateway whose clock is off by %i ms changes no lifetime', (off) => {
  expect(issued(now, now + off)).toEqual({ byClaims: 60, byClock: 60 })
})

test('a mint whose own clock is off, or that dates its tokens ahead, is measured by its header', () => {
  expect(issued(now + 3_600_000, now + 3_600_000)).toEqual({ byClaims: 60, byClock: 60 })
  expect(issued(now + 3_600_000, now)).toEqual({ byClaims: 60, byClock: 3_660 })
})
