import { onOneLine } from '../../base/printable.ts'
import type { Role } from '../../requirement/define.ts'
import type { RunProgress } from '../../run/execute.ts'
import type { Terminal } from '../../run/options.ts'
import { createLiveLines } from './live-lines.ts'

/** State of one suite while it is judged. */
interface SuiteState {
  readonly total: number
  judged: number
  violated: number
  /** Until when a requirement waits for a token to expire, in milliseconds of the given clock. */
  readonly waits: Map<string, number>
}

const redrawMs = 250

/**
 * Shows how far each suite is: on a terminal one live line a suite, with the wait for expiry as a countdown; elsewhere a
 * line an event.
 * @param now - milliseconds of a monotonic clock
 */
export function showRunProgress(terminal: Terminal, now: () => number): RunProgress {
  return terminal.isTTY ? showLive(terminal, now) : showEvents(terminal)
}

function showEvents(terminal: Terminal): RunProgress {
  let isWaiting = false
  return {
    onStarted: (checks) => terminal.write(`running ${checks.length} requirements\n`),
    onWaiting(title, seconds) {
      if (!isWaiting)
        terminal.write(`${idOf(title)} and others wait ${seconds} s for token expiry; the rest continues\n`)
      isWaiting = true
    },
    onReport: ({ result }) =>
      terminal.write(
        `${result.verdict.padEnd(14)} ${onOneLine(result.id).padEnd(8)} ${onOneLine(result.title)}\n`,
      ),
    onEnd() {},
  }
}

function showLive(terminal: Terminal, now: () => number): RunProgress {
  const suites = new Map<Role, SuiteState>()
  const roleOf = new Map<string, Role>()
  let timer: NodeJS.Timeout | undefined
  const lines = createLiveLines(terminal)
  const draw = () =>
    lines.draw([...suites].map(([role, state]) => suiteLine(role, state, now(), terminal.columns)))
  return {
    onStarted(checks) {
      for (const { id, role } of checks) {
        roleOf.set(id, role)
        const total = (suites.get(role)?.total ?? 0) + 1
        suites.set(role, { total, judged: 0, violated: 0, waits: new Map() })
      }
      draw()
      timer = setInterval(draw, redrawMs)
    },
    onWaiting(title, seconds) {
      const id = idOf(title)
      const waits = suites.get(roleOf.get(id) ?? 'flow')?.waits
      waits?.set(id, Math.max(now() + seconds * 1000, waits.get(id) ?? 0))
    },
    onReport({ result: { id, role, verdict } }) {
      const state = suites.get(role)
      if (state === undefined) return
      state.judged += 1
      if (verdict === 'fail') state.violated += 1
      state.waits.delete(id)
    },
    onEnd() {
      clearInterval(timer)
      lines.erase()
    },
  }
}

/** The longest name of a suite, and a space. */
const nameWidth = 10
const barWidth = 20

/** `backend    ████████░░░░░░░░ 9 of 21 · 1 violated · waiting for token expiry, 3 s left`, cut at the terminal's width. */
function suiteLine(
  role: Role,
  { total, judged, violated, waits }: SuiteState,
  at: number,
  columns: number,
): string {
  const filled = Math.round((judged / total) * barWidth)
  const left = Math.ceil((Math.max(...waits.values(), at) - at) / 1000)
  const parts = [
    `${role.padEnd(nameWidth)} ${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${judged} of ${total}`,
    violated === 0 ? '' : `${violated} violated`,
    left === 0 ? '' : `waiting for token expiry, ${left} s left`,
  ]
  return parts
    .filter((part) => part !== '')
    .join(' · ')
    .slice(0, columns - 1)
}

/** Runners give the name of a test, which begins with the id. */
function idOf(title: string): string {
  return onOneLine(title).split(' ')[0] ?? title
}
