import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { whileJudging } from './judging.ts'
import { openTempFolder } from './temp-folder.ts'
import { noteReading, startWatchdog } from './watchdog.ts'

/** Computes until this process has used so much of a processor: how busy the machine is does not matter. */
function compute(milliseconds: number): void {
  const before = process.cpuUsage()
  let used = 0
  while (used < milliseconds) {
    const { user, system } = process.cpuUsage(before)
    used = (user + system) / 1000
  }
}

test('a loop that is blocked is named with the check and what it was reading, once', async () => {
  await using folder = await openTempFolder()
  const file = join(folder.path, 'blocked')
  {
    await using _ = startWatchdog({ file, blockedMs: 1000 })
    await wait(1000)
    await whileJudging({ name: 'BACK-07' }, async () => {
      noteReading('an answer of the backend, 12 bytes')
      compute(4000)
    })
  }
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).what)).toEqual([
    'BACK-07, reading an answer of the backend, 12 bytes',
  ])
})

test('a loop that turns, or that computes in pieces, is not named', async () => {
  await using folder = await openTempFolder()
  const file = join(folder.path, 'blocked')
  {
    await using _ = startWatchdog({ file, blockedMs: 4000 })
    for (let turn = 0; turn < 12; turn += 1) {
      compute(200)
      await wait(300)
    }
  }
  await expect(readFile(file, 'utf8')).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a process that is blocked for good ends with a sentence, and what it has started ends with it', async () => {
  const module = JSON.stringify(join(import.meta.dirname, 'watchdog.ts'))
  const program = `
    import { spawn } from 'node:child_process'
    import { endTogether, noteReading, startWatchdog } from ${module}
    const part = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] })
    endTogether(part.pid)
    startWatchdog({ blockedMs: 500, endsAfterMs: 1500 })
    noteReading('an answer of the mint')
    setTimeout(() => { for (;;); }, 500)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program])
  // Both have this stream open: its end is the end of both.
  const [stderr, , [, signal]] = await Promise.all([
    text(child.stderr),
    text(child.stdout),
    once(child, 'exit'),
  ])
  expect(stderr).toMatch(/^twotoken: blocked for \d+ s by the suite, reading an answer of the mint$/m)
  expect(stderr).toMatch(
    /^twotoken: ended, since nothing but the suite, reading an answer of the mint went on for \d+ s/m,
  )
  expect(signal).toBe('SIGKILL')
})
