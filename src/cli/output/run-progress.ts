import { onOneLine } from '../../base/printable.ts'
import { waitForCause } from '../../reports/wait-for-cause.ts'
import type { Role } from '../../requirement/define.ts'
import type { CheckResult } from '../../requirement/run.ts'
import type { RunProgress } from '../../run/execute.ts'
import type { Terminal } from '../../run/options.ts'
import type { CheckReport } from '../../run/worker-protocol.ts'
import { createLiveLines } from './live-lines.ts'

interface SuiteState {
  readonly total: number
  judged: number
  violated: number
  /** Since when the checks have their turn, in milliseconds of the given clock. */
  readonly turns: Map<string, number>
}

const redrawMs = 250
/** A check that takes longer is named. */
const namedAfterMs = 3_000

/** Shows how far each suite is: one live line each on a terminal, elsewhere a line a verdict; `now` is a monotonic clock. */
export function showRunProgress(terminal: Terminal, now: () => number): RunProgress {
  return terminal.isTTY ? showLive(terminal, now) : showEvents(terminal)
}

function showEvents(terminal: Terminal): RunProgress {
  const reports: CheckReport[] = []
  const write = ({ verdict, id, title }: CheckResult) =>
    terminal.write(`${verdict.padEnd(14)} ${onOneLine(id).padEnd(8)} ${onOneLine(title)}\n`)
  return {
    onStarted: (checks) =>
      terminal.write(`running ${checks.length} requirement${checks.length === 1 ? '' : 's'}\n`),
    onTurn: () => undefined,
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
        suites.set(role, { total, judged: 0, violated: 0, turns: new Map() })
      }
      draw()
      timer = setInterval(draw, redrawMs)
    },
    onTurn(id, hasTurn) {
      const turns = suites.get(roleOf.get(id) ?? 'flow')?.turns
      if (hasTurn) turns?.set(id, now())
      else turns?.delete(id)
    },
    onReport({ result: { role, verdict } }) {
      const state = suites.get(role)
      if (state === undefined) return
      state.judged += 1
      if (verdict === 'fail') state.violated += 1
    },
    onEnd() {
      clearInterval(timer)
      lines.erase()
    },
  }
}

const nameWidth = 10
const barWidth = 20

/** `backend    ████████░░░░░░░░ 9 of 21 · 1 violated · BACK-07 for 42 s`, cut at the terminal's width. */
function suiteLine(
  role: Role,
  { total, judged, violated, turns }: SuiteState,
  at: number,
  columns: number,
): string {
  const filled = Math.round((judged / total) * barWidth)
  const [longest] = [...turns].toSorted(([, one], [, two]) => one - two)
  const ms = at - (longest?.[1] ?? at)
  const parts = [
    `${role.padEnd(nameWidth)} ${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${judged} of ${total}`,
    violated === 0 ? '' : `${violated} violated`,
    longest === undefined || ms < namedAfterMs ? '' : `${longest[0]} for ${Math.floor(ms / 1000)} s`,
  ]
  return parts
    .filter((part) => part !== '')
    .join(' · ')
    .slice(0, columns - 1)
}
