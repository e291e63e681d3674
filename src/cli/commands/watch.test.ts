import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import type { RunOptions } from '../../run/options.ts'
import { openStreams } from '../testing/streams.ts'
import { createWorkplace } from '../testing/workplace.ts'
import { watch } from './watch.ts'

const options: RunOptions = { only: ['BACK-04', 'BACK-12'] }
const timeout = 900_000

/** A backend that believes the id in a request as long as a file of its project says so, and a watching suite. */
async function openWatch(content: string) {
  const state = { content }
  const reference = await startReference({
    variant: {
      backend: {
        userId: ({ userId }, { body }) =>
          state.content === 'mended' ? userId : (/"userId":"([^"]+)"/.exec(body)?.[1] ?? userId),
      },
    },
  })
  const place = await createWorkplace(reference.written)
  await mkdir(join(place.folder, 'src'))
  const { written, ...streams } = openStreams()
  const output = () => written.stdout + written.stderr
  let interrupt = () => {}
  const ended = watch(
    { ...options, config: join(place.folder, 'twotoken.yaml') },
    {
      directory: place.folder,
      variables: {},
      ...streams,
      color: false,
      onInterrupt: (callback) => {
        interrupt = callback
      },
    },
  )
  const source = join(place.folder, 'src', 'server.js')
  const says = (text: string) => vi.waitFor(() => expect(output()).toContain(text), { timeout, interval: 50 })
  return {
    place,
    ended,
    says,
    /** Returns the output since the last call. */
    printed() {
      const printed = output()
      Object.assign(written, { stdout: '', stderr: '' })
      return printed
    },
    interrupt: () => interrupt(),
    async change(text: string) {
      state.content = text
      await writeFile(source, text)
    },
    async [Symbol.asyncDispose]() {
      interrupt()
      await ended
      await place[Symbol.asyncDispose]()
      await reference[Symbol.asyncDispose]()
    },
  }
}

test('judges failed requirements again when a file changes, until nothing fails', async () => {
  await using watching = await openWatch('broken')
  await watching.says('watching: a file change reruns BACK-04; Ctrl-C stops')
  expect(watching.printed()).toContain('Violations\n  ✗ BACK-04 ')

  await watching.change('still broken')
  await watching.says('watching: a file change reruns BACK-04')
  const second = watching.printed()
  expect(second).toContain(`${join('src', 'server.js')} changed`)
  expect(second).toContain('running 1 requirement\n')

  await watching.change('mended')
  await watching.says('watching: a file change reruns everything')
  expect(watching.printed()).toContain('1 pass in ')

  await watching.change('mended')
  await watching.says('watching: ')
  const whole = watching.printed()
  expect(whole).toContain('changed\nrunning 2 requirements\n')
  expect(whole).toContain('2 pass in ')
  expect(await watching.place.results()).toMatchObject({ outcome: 'conformant' })

  watching.interrupt()
  expect(await watching.ended).toBe(0)
})

test('a configuration that is broken meanwhile is named', async () => {
  await using watching = await openWatch('broken')
  await watching.says('a file change reruns BACK-04')
  watching.printed()
  const config = await watching.place.read('../twotoken.yaml')
  await watching.place.write('twotoken.yaml', '{')
  await watching.says('a file change reruns BACK-04')
  expect(watching.printed()).toMatch(/twotoken\.yaml changed\n.*twotoken: .*twotoken\.yaml/s)
  await watching.place.write('twotoken.yaml', config)
  await watching.says('a file change reruns BACK-04')
  expect(watching.printed()).toContain('1 fail in ')
  watching.interrupt()
  expect(await watching.ended).toBe(1)
})
