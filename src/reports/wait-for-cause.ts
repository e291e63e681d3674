import type { Exchange } from '../base/evidence/exchange.ts'
import type { Halt } from '../base/inconclusive.ts'
import type { Verdict } from '../base/verdict.ts'
import type { Cause } from '../requirement/cause.ts'
import { type CheckResult, cutShort } from '../requirement/run.ts'
import { damageOf } from './group-errors.ts'

type Part = Cause['part']

/** Requirements on ordinary use, which each ends in the last: it holds wherever the part serves, and the first violated one says why not. */
const ordinaryUse: Readonly<Record<Part, readonly string[]>> = {
  mint: ['MINT-01', 'MINT-02'],
  backend: ['BACK-06', 'BACK-01'],
  signaling: ['SIG-02'],
}

/** Errors of a part that serves no ordinary request wait for the violated requirement on that; a limit is another cause. */
export function waitForCause(
  checks: readonly CheckResult[],
  exchanges: readonly Pick<Exchange, 'id' | 'to'>[],
): CheckResult[] {
  const verdicts = new Map(checks.map(({ id, verdict }) => [id, verdict]))
  const isViolated = (id: string) => verdicts.get(id) === 'fail'
  const findBroken = (part: Part): { readonly part: Part; readonly id: string } | null => {
    const uses = ordinaryUse[part]
    const last = verdicts.get(uses.at(-1) ?? '')
    if (last === 'pass' || last === 'warn' || isViolated(damageOf[part])) return null
    const id = uses.find(isViolated)
    if (id !== undefined) return { part, id }
    return part === 'backend' ? findBroken('mint') : null
  }
  const parties = new Map(exchanges.map(({ id, to }) => [id, to]))
  return checks.map(({ halt, ...check }) => {
    const stop = findClientStop({ ...check, halt })
    const stopId = stop === undefined ? check.id : findClientCause(stop, checks)
    if (stop !== undefined && stopId !== undefined && stopId !== check.id)
      return waitFor(check, stopId, stop.why)
    const part = check.verdict === 'error' && check.defect !== true ? partOf(check, parties) : null
    const broken = part === null ? null : findBroken(part)
    if (broken === null) return check
    return waitFor(check, broken.id, `the ${broken.part} serves no ordinary request`)
  })
}

function waitFor(check: CheckResult, id: string, why: string): CheckResult {
  return { ...check, ...cutShort(check, `waits for ${id}: ${why} until then`), cause: undefined }
}

/** How far a client came that did not join signaling, with the requirement that may say why. */
interface ClientStop {
  readonly halt: Halt
  readonly id: string
  readonly why: string
  /** Requirements that are judged only where a client came further: in such a run something else stopped it. */
  readonly further: readonly string[]
}

const joinsNone = 'the client joins no signaling'
const joining = ['CLI-05', 'CLI-06', 'CLI-07', 'CLI-08', 'CLI-13']
const clientStops: readonly ClientStop[] = [
  { halt: 'made no connection', id: 'CLI-22', why: joinsNone, further: joining },
  {
    halt: 'asked for no token',
    id: 'CLI-03',
    why: 'the client asks for no token',
    further: ['CLI-01', ...joining],
  },
  { halt: 'offered its session', id: 'CLI-02', why: joinsNone, further: joining },
]

const judged: readonly Verdict[] = ['pass', 'fail', 'warn', 'info']

function findClientStop({
  role,
  verdict,
  defect,
  halt,
}: Pick<CheckResult, 'role' | 'verdict' | 'defect' | 'halt'>): ClientStop | undefined {
  if (role !== 'client' || verdict !== 'error' || defect === true) return undefined
  return clientStops.find((stop) => stop.halt === halt)
}

/** The violated requirement that says why a client stops there in every requirement, or the first of these. */
function findClientCause(stop: ClientStop, checks: readonly CheckResult[]): string | undefined {
  if (checks.some(({ id, verdict }) => id === stop.id && verdict === 'fail')) return stop.id
  if (checks.some(({ id, verdict }) => stop.further.includes(id) && judged.includes(verdict)))
    return undefined
  const ids = checks.filter((check) => findClientStop(check) === stop).map(({ id }) => id)
  return ids.toSorted((one, other) => one.localeCompare(other))[0]
}

export function waitingFor(id: string, checks: readonly CheckResult[]): string[] {
  return checks.filter(({ reason }) => reason?.startsWith(`waits for ${id}: `)).map((check) => check.id)
}

/** A part that answers otherwise than it must is no cause by itself: the control stands last. */
function partOf({ cause, findings }: CheckResult, parties: ReadonlyMap<string, Exchange['to']>): Part | null {
  if (cause !== undefined)
    return cause.unavailable === 'limited' || cause.unavailable === 'refusing' ? null : cause.part
  const error = findings.find(({ verdict }) => verdict === 'error')
  const party = parties.get(error?.evidence.at(-1) ?? '')
  return party === 'mint' || party === 'backend' || party === 'signaling' ? party : null
}
