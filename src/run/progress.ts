import type { CheckReport } from './worker-protocol.ts'

export interface Progress {
  started(total: number): void
  waiting(title: string, seconds: number): void
  finished(report: CheckReport): void
  end(): void
}

export interface Terminal {
  readonly isTTY: boolean
  readonly columns: number
  write(text: string): void
}

/** What runs and what waits, live: one line that is rewritten on a terminal, a line per event elsewhere. */
export function createProgress(terminal: Terminal, now: () => number): Progress {
  let total = 0
  let done = 0
  const waits = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  const line = () => {
    const longest = [...waits].sort((a, b) => b[1] - a[1])[0]
    const left = longest === undefined ? 0 : Math.max(0, Math.ceil((longest[1] - now()) / 1000))
    const wait = left > 0 ? ` · ${waits.size} wait for tokens to expire, ${left} s to go` : ''
    return `${done} of ${total} requirements judged${wait}`
  }
  const draw = () => terminal.write(`\r\u001b[2K${line().slice(0, terminal.columns - 1)}`)
  const redraw = () => {
    if (terminal.isTTY) draw()
  }

  return {
    started(count) {
      total = count
      if (terminal.isTTY) timer = setInterval(draw, 250)
      else terminal.write(`judging ${total} requirements\n`)
    },
    waiting(title, seconds) {
      const id = title.split(' ')[0] ?? title
      const until = now() + seconds * 1000
      const first = waits.size === 0
      waits.set(id, Math.max(until, waits.get(id) ?? 0))
      if (!terminal.isTTY && first)
        terminal.write(`${id} and others wait ${seconds} s for tokens to expire; the rest goes on\n`)
      redraw()
    },
    finished({ result }) {
      done += 1
      waits.delete(result.id)
      if (terminal.isTTY) draw()
      else terminal.write(`${result.verdict.padEnd(14)} ${result.id.padEnd(8)} ${result.title}\n`)
    },
    end() {
      clearInterval(timer)
      if (terminal.isTTY) terminal.write('\r\u001b[2K')
    },
  }
}
