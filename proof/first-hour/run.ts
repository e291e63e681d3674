import { type Backend, playFirstHour } from './play.ts'

// `npm run proof:first-hour`: backends in Express, FastAPI and Rails that one has, each from `init` to its first findings.
// Python, Ruby and their frameworks are Debian's: python3-fastapi, uvicorn, python3-httpx, ruby-rails, puma.

const longestSeconds = 300
const [only] = process.argv.slice(2)

let played = 0
for (const backend of ['express', 'fastapi', 'rails'] satisfies Backend[]) {
  if (only !== undefined && only !== backend) continue
  const { code, seconds, said, configuration, job } = await playFirstHour(backend)
  const wrong = [
    code === 1 ? [] : `exit code ${code} instead of 1`,
    seconds < longestSeconds ? [] : `longer than ${longestSeconds} s`,
    /✗ BACK-04 .*\n.*\n.*\n +Take the userId from the validated session/.test(said)
      ? []
      : 'no advice on BACK-04',
    /^pass +BACK-16 /m.test(said) ? [] : 'the TLS of the mint was not judged',
    /^ +fakeMint: .*tls: true/m.test(configuration) ? [] : 'no double with TLS',
    job.includes('secrets.ALICE_PASSWORD') ? [] : 'no CI job',
  ].flat()
  process.stdout.write(`${backend}: first findings after ${seconds.toFixed(0)} s ${wrong.join(', ')}\n`)
  if (wrong.length > 0) process.stdout.write(`${said.slice(-4_000)}\n`)
  if (wrong.length > 0) process.exitCode = 1
  else played += 1
}
process.stdout.write(`${played} first hours played\n`)
if (played === 0) process.exitCode = 1
