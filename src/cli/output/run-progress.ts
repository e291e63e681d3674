import { onOneLine } from '../../base/printable.ts'
import { waitForCause } from '../../reports/wait-for-cause.ts'
import type { Role } from '../../requirement/define.ts'
import type { CheckResult } from '../../requirement/run.ts'
import type { RunProgress } from '../../run/execute.ts'
import type { Terminal } from '../../run/options.ts'
import type { CheckReport } from '../../run/worker-protocol.ts'
import { createLiveLines } from './live-lines.ts'

/** State of one suite while it is judged. */
interface SuiteState {
  readonly total: number
  judged: number
  violated: number
  readonly waits: Wait[]
}

interface Wait {
  readonly id: string
  /** Completes "waiting for …". */
  readonly what: string
  /** In milliseconds of the given clock. */
  readonly until: number
}

const redrawMs = 250

/**
 * Shows how far each suite is: on a terminal one live line a suite, with the longest wait as a countdown; elsewhere a
 * line an event.
 * @param now - milliseconds of a monotonic clock
 */
export function showRunProgress(terminal: Terminal, now: () => number): RunProgress {
  return terminal.isTTY ? showLive(terminal, now) : showEvents(terminal, now)
}

function showEvents(terminal: Terminal, now: () => number): RunProgress {
  /** When the waits that were told are over, by what they are for. */
  const ends = new Map<string, number>()
  const reports: CheckReport[] = []
  const write = ({ verdict, id, title }: CheckResult) =>
    terminal.write(`${verdict.padEnd(14)} ${onOneLine(id).padEnd(8)} ${onOneLine(title)}\n`)
  return {
    onStarted: (checks) => terminal.write(`running ${checks.length} requirements\n`),
    onWaiting(title, { what, seconds }) {
      // Many requirements wait for one thing.
      if (seconds === 0 || (ends.get(what) ?? 0) > now()) return
      ends.set(what, now() + seconds * 1000)
      terminal.write(`${idOf(title)} waits up to ${Math.ceil(seconds)} s for ${what}; the rest continues\n`)
    },
    onReport(report) {
      reports.push(report)
      if (report.result.verdict !== 'error') write(report.result)
    },
    // The others say whether an error waits for one of them.
    onEnd() {
      const exchanges = reports.flatMap((report) => report.exchanges)
      const results = waitForCause(
        reports.map(({ result }) => result),
        exchanges,
      )
      for (const [place, { result }] of reports.entries())
        if (result.verdict === 'error') write(results[place] ?? result)
    },
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
        suites.set(role, { total, judged: 0, violated: 0, waits: [] })
      }
      draw()
      timer = setInterval(draw, redrawMs)
    },
    onWaiting(title, { what, seconds }) {
      const id = idOf(title)
      const waits = suites.get(roleOf.get(id) ?? 'flow')?.waits
      if (waits === undefined) return
      if (seconds > 0) waits.push({ id, what, until: now() + seconds * 1000 })
      else remove(waits, (wait) => wait.id === id && wait.what === what)
    },
    onReport({ result: { id, role, verdict } }) {
      const state = suites.get(role)
      if (state === undefined) return
      state.judged += 1
      if (verdict === 'fail') state.violated += 1
      remove(state.waits, (wait) => wait.id === id)
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
  const [longest] = waits.filter(({ until }) => until > at).toSorted((one, two) => two.until - one.until)
  const parts = [
    `${role.padEnd(nameWidth)} ${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${judged} of ${total}`,
    violated === 0 ? '' : `${violated} violated`,
    longest === undefined
      ? ''
      : `waiting for ${longest.what}, ${Math.ceil((longest.until - at) / 1000)} s left`,
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

function remove(waits: Wait[], isOver: (wait: Wait) => boolean): void {
  waits.splice(0, waits.length, ...waits.filter((wait) => !isOver(wait)))
}
