import { onOneLine } from '../../base/printable.ts'
import type { RunProgress } from '../../run/execute.ts'
import type { Terminal } from '../../run/options.ts'

/** Shows how many requirements are judged and which wait: one line that is rewritten on a terminal, else a line per event. */
export function showRunProgress(terminal: Terminal, now: () => number): RunProgress {
  let total = 0
  let done = 0
  const waits = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  const line = () => {
    const longest = [...waits].sort((a, b) => b[1] - a[1])[0]
    const left = longest === undefined ? 0 : Math.max(0, Math.ceil((longest[1] - now()) / 1000))
    const wait = left > 0 ? ` · ${waits.size} waiting for token expiry, ${left} s left` : ''
    return `${done} of ${total} requirements judged${wait}`
  }
  const draw = () => terminal.write(`\r\u001b[2K${line().slice(0, terminal.columns - 1)}`)
  const redraw = () => {
    if (terminal.isTTY) draw()
  }

  return {
    onStarted(count) {
      total = count
      if (terminal.isTTY) timer = setInterval(draw, 250)
      else terminal.write(`running ${total} requirements\n`)
    },
    onWaiting(title, seconds) {
      const id = onOneLine(title).split(' ')[0] ?? title
      const until = now() + seconds * 1000
      const first = waits.size === 0
      waits.set(id, Math.max(until, waits.get(id) ?? 0))
      if (!terminal.isTTY && first)
        terminal.write(`${id} and others wait ${seconds} s for token expiry; the rest continues\n`)
      redraw()
    },
    onReport({ result }) {
      done += 1
      waits.delete(result.id)
      if (terminal.isTTY) draw()
      else
        terminal.write(
          `${result.verdict.padEnd(14)} ${onOneLine(result.id).padEnd(8)} ${onOneLine(result.title)}\n`,
        )
    },
    onEnd() {
      clearInterval(timer)
      if (terminal.isTTY) terminal.write('\r\u001b[2K')
    },
  }
}
