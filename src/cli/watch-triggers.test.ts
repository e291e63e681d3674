import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { openTriggers } from './watch-triggers.ts'

test('a terminal gives single keys, and a word behind a slash', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-keys-'))
  const modes: boolean[] = []
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (mode: boolean) => void modes.push(mode),
  })
  let shown = ''
  const { signal } = new AbortController()
  const echo = (text: string) => {
    shown += text
  }
  const triggers = await openTriggers({ folder, ignored: join(folder, 'out'), stdin, echo, signal })
  for (const [keys, typed] of [
    ['f', 'f'],
    ['xa', 'a'],
    ['\r', ''],
    ['/bakc\u007f\u007fck\r', '/back'],
    ['/q\u007f\u007fq', 'q'],
  ] as const) {
    stdin.write(keys)
    expect(await triggers.next()).toEqual({ typed })
  }
  expect(shown).toContain('/back')
  await triggers[Symbol.asyncDispose]()
  expect(modes).toEqual([true, false])
  await rm(folder, { recursive: true })
})
