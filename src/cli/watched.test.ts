import { expect, test, vi } from 'vitest'
import { blockLimits, startWatchdog } from '../base/watchdog.ts'
import { main } from './program.ts'

// A command ends here: its action is behind the watchdog.
vi.mock(import('../base/watchdog.ts'), async (actual) => ({
  ...(await actual()),
  startWatchdog: vi.fn(() => {
    throw new Error('watched')
  }),
}))
vi.spyOn(process.stderr, 'write').mockReturnValue(true)

const commands =
  'run, explore backend, serve, verify backend, doctor, detect, init, list, explain MINT-04, report one --format junit'
    .split(', ')
    .map((line) => line.split(' '))

test.each(commands)('twotoken %s is watched before it reads anything', async (...argv) => {
  vi.mocked(startWatchdog).mockClear()
  expect(await main(argv)).not.toBe(0)
  expect(vi.mocked(startWatchdog).mock.calls).toEqual([[blockLimits]])
})

test('every command is among these, but the audit, whose readers end by their own bounds', async () => {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  await main(['--help'])
  const help = out.mock.calls.map(([text]) => String(text)).join('')
  out.mockRestore()
  const [, listed = ''] = /Commands:\n(.*?)\n\n/s.exec(help) ?? []
  const names = [...listed.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name)
  const watched = commands.map(([name]) => name)
  expect(names.filter((name) => name !== 'help').toSorted()).toEqual(['audit', ...watched].toSorted())
})
