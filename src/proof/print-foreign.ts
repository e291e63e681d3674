import type { CheckResult } from '../requirement/run.ts'
import { type ForeignService, judgeForeign, loadForeignServices } from './foreign.ts'

// Every foreign service is judged without a fault, where nothing may accuse it, and with each of its faults, which some
// requirement of its role has to notice. `node src/proof/print-foreign.ts mint key-in-query` judges one.

const [role, only] = process.argv.slice(2)
const atOnce = 3

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

/** The number of wrong verdicts: accusations without a fault, and faults that nothing notices. */
async function prove(service: ForeignService, services: readonly ForeignService[]): Promise<number> {
  const usual = await judgeForeign(services, service.role, null)
  const accusing = usual.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
  tell(`${service.role} in ${service.language}: ${usual.length} requirements, ${accusing.length} accusations`)
  for (const result of usual.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'info'))
    tell(describeResult(result))
  const faults = service.faults.filter(({ name }) => only === undefined || name === only)
  let missed = 0
  const work = async () => {
    for (let fault = faults.shift(); fault !== undefined; fault = faults.shift()) {
      const noticed = noticedBy(await judgeForeign(services, service.role, fault.name), usual)
      const name = `${service.role} ${fault.name}`
      const excuse = unnoticeable[name]
      if (noticed.length > 0) tell(`ok  ${name}: ${noticed.join(', ')}`)
      else if (excuse !== undefined) tell(`    ${name}: not noticed, since ${excuse}`)
      else {
        missed += 1
        tell(`GAP ${name}: ${fault.does}`)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return accusing.length + missed
}

const services = await loadForeignServices()
let wrong = 0
for (const service of services)
  if (role === undefined || service.role === role) wrong += await prove(service, services)
tell(`${wrong} wrong verdicts`)
process.exitCode = wrong === 0 ? 0 : 1
