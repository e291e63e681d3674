import { parseArgs } from 'node:util'
import type { CheckResult } from '../../src/requirement/run.ts'
import { tell } from '../outcome.ts'
import { whyOf } from '../variants/table.ts'
import { type ForeignService, judgeForeign, loadForeignServices } from './foreign.ts'
import { noticedLast, unnoticeable } from './foreign-faults.ts'

// Every foreign service is judged without a fault, where nothing may accuse it, and with each of its faults, which one of
// the requirements has to notice that noticed it last. `node proof/foreign/print.ts mint key-in-query` judges one;
// `--all` judges the faults by every requirement of the role, and those too that none has to notice.

const { values: options, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const [role, only] = positionals
/** Most of a service's judging is waiting for tokens to expire. */
const atOnce = 8

/**
 * Lists the requirements with a message about a service that the same service without its fault does not get.
 */
function noticedBy(results: readonly CheckResult[], usual: readonly CheckResult[]): string[] {
  const before = new Set(usual.flatMap(messagesOf))
  return results
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .filter((result) => messagesOf(result).some((message) => !before.has(message)))
    .map(({ id, verdict }) => (verdict === 'fail' ? id : `${id} (warn)`))
}

/** Without what differs from run to run. */
function messagesOf({ id, findings }: CheckResult): string[] {
  return findings.map(({ message }) => `${id} ${message.replaceAll(/tt-[\w-]+|\d+(?:\.\d+)?/g, '#')}`)
}

function describeResult(result: CheckResult): string {
  return `  ${result.verdict.padEnd(8)} ${result.id}  ${whyOf(result).slice(0, 400)}`
}

/** A service with what requirements say of it without a fault. */
interface Usual {
  readonly service: ForeignService
  readonly results: readonly CheckResult[]
}

/** Judges each service without a fault; resolves with them, and how often they were accused. */
async function judgeUsual(): Promise<{ readonly usual: readonly Usual[]; readonly accusations: number }> {
  const usual = await Promise.all(
    chosen.map(async (service) => ({ service, results: await judgeForeign(services, service.role) })),
  )
  let accusations = 0
  for (const { service, results } of usual) {
    const accusing = results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
    accusations += accusing.length
    tell(
      `${service.role} in ${service.language}: ${results.length} requirements, ${accusing.length} accusations`,
    )
    for (const result of results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'info'))
      tell(describeResult(result))
  }
  return { usual, accusations }
}

/** Judges each service with each of its faults; resolves with the number of those that nothing noticed. */
async function judgeFaults(usual: readonly Usual[]): Promise<number> {
  const waiting = usual.flatMap(({ service, results }) =>
    service.faults
      .map((fault) => ({ service, results, fault, name: `${service.role} ${fault.name}` }))
      .filter(({ fault, name }) =>
        only === undefined ? options.all || unnoticeable[name] === undefined : fault.name === only,
      ),
  )
  let missed = 0
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { service, results, fault, name } = next
      const ids = options.all ? undefined : noticedLast[name]
      const judged = await judgeForeign(services, service.role, { fault: fault.name, ids })
      const noticed = noticedBy(judged, results)
      const excuse = unnoticeable[name]
      if (noticed.length > 0) tell(`ok  ${name}: ${noticed.join(', ')}`)
      else if (excuse !== undefined) tell(`    ${name}: not noticed, since ${excuse}`)
      else {
        missed += 1
        tell(`GAP ${name}: ${fault.does}`)
        for (const result of judged.filter(({ verdict }) => verdict === 'error')) tell(describeResult(result))
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return missed
}

const services = await loadForeignServices()
const chosen = services.filter((service) => role === undefined || service.role === role)
if (chosen.some(({ faults }) => only === undefined || faults.some(({ name }) => name === only))) {
  const { usual, accusations } = await judgeUsual()
  const wrong = accusations + (await judgeFaults(usual))
  tell(`${wrong} wrong verdicts`)
  process.exitCode = wrong === 0 ? 0 : 1
} else {
  tell(`fixtures/foreign/foreign.json has no ${positionals.join(' ')}: it names the roles and their faults`)
  process.exitCode = 2
}
