import type { CheckResult } from '../requirement/run.ts'
import { type ForeignService, judgeForeign, loadForeignServices } from './foreign.ts'

// Every foreign service is judged without a fault, where nothing may accuse it, and with each of its faults, which some
// requirement of its role has to notice. `node src/proof/print-foreign.ts mint key-in-query` judges one.

const [role, only] = process.argv.slice(2)
/** Most of a service's judging is waiting for tokens to expire. */
const atOnce = 8

/** Faults that no requirement has to notice, and why. */
const unnoticeable: Readonly<Record<string, string>> = {
  'mint revoked-key-works': 'its keys cannot be revoked while it runs, so that there is no hook',
  'mint get-mints': 'the specification names POST, and forbids no further method',
  'mint default-of-a-day': 'the specification leaves the default lifetime open',
  'mint no-expiry': 'the specification shows no claims: the mint may keep the expiry to itself',
  'backend session-case-insensitive': 'a session may be hexadecimal, in which case means nothing',
  'backend session-in-query': 'the specification forbids no further place for the session',
  'backend redirects-followed': 'libcurl drops the Authorization header where host or port changes',
  'backend certificate-unchecked': 'this backend is pointed at a mint double without TLS',
  'signaling api-key-accepted': 'only where the client declares no user, which the profile always does',
  'signaling second-hello-believed': 'no profile describes a second message of the client',
  'signaling calls-before-hello': 'no profile describes calls',
  'signaling caller-believed': 'no profile describes calls',
  'signaling calls-broadcast': 'no profile describes calls',
  'signaling second-socket-refused': 'the specification leaves open how many sockets a user may have',
}

/** What requirements say about a service that they do not say about the same service without its fault. */
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

function tell(text: string): void {
  process.stdout.write(`${text}\n`)
}

function describeResult({ id, verdict, reason, findings }: CheckResult): string {
  const why = [reason, ...findings.map(({ message }) => message)].filter((text) => text !== null)
  return `  ${verdict.padEnd(8)} ${id}  ${why.join('; ').slice(0, 400)}`
}

/** A service with what requirements say of it without a fault. */
interface Usual {
  readonly service: ForeignService
  readonly results: readonly CheckResult[]
}

/** Judges each service without a fault; resolves with them, and how often they were accused. */
async function judgeUsual(): Promise<{ readonly usual: readonly Usual[]; readonly accusations: number }> {
  const chosen = services.filter((service) => role === undefined || service.role === role)
  const usual = await Promise.all(
    chosen.map(async (service) => ({ service, results: await judgeForeign(services, service.role, null) })),
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
      .filter(({ name }) => only === undefined || name === only)
      .map((fault) => ({ service, results, fault })),
  )
  let missed = 0
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { service, results, fault } = next
      const judged = await judgeForeign(services, service.role, fault.name)
      const noticed = noticedBy(judged, results)
      const name = `${service.role} ${fault.name}`
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
const { usual, accusations } = await judgeUsual()
const wrong = accusations + (await judgeFaults(usual))
tell(`${wrong} wrong verdicts`)
process.exitCode = wrong === 0 ? 0 : 1
