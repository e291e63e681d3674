import type { Exchange, WebSocketExchange } from '../base/evidence/exchange.ts'
import type { Detection, Found } from './detect.ts'
import type { FoundMint } from './mint.ts'
import type { FoundSignaling } from './signaling.ts'
import { renderFragment, toSettings } from './write-yaml.ts'

/** Makes text of a peer one line that a console does not follow. */
type Clean = (text: string) => string

/**
 * Renders the findings as a fragment of `twotoken.yaml` with the facts as remarks. A value that a console
 * could follow is in double quotes, where it can be escaped as in JSON.
 */
export function renderDetection(detection: Detection, clean: Clean): string {
  const { attempts, mints, leewaySeconds } = detection
  const facts = [
    `found by twotoken detect with ${mints} calling tokens and ${attempts} connections`,
    ...renderPart('mint', detection.mint, listMintFacts),
    ...renderPart('signaling', detection.signaling, listSignalingFacts),
    ...(leewaySeconds === null
      ? []
      : [`signaling accepts a token for up to ${leewaySeconds} s after expiry`]),
  ]
  return `${facts.map((fact) => `# ${clean(fact)}\n`).join('')}${renderFragment(toSettings(detection))}`
}

function renderPart<Part>(name: string, part: Found<Part>, facts: (found: Part) => string[]): string[] {
  return 'found' in part ? facts(part.found) : [`${name}: nothing detected: ${part.missing}`]
}

function listMintFacts(found: FoundMint): string[] {
  const seconds = (value: number | null) => (value === null ? 'not seen' : `${value} s`)
  const granted = found.ttl.map(({ asked, granted: got }) => `${asked} → ${got ?? 'unreadable'}`)
  return [
    `mint: the token is at ${found.success}, a ${found.format}${found.algorithm === null ? '' : ` signed with ${found.algorithm}`}`,
    ...(found.takesUuidsOnly ? ['mint: issues tokens for UUIDs, and for no other made-up id'] : []),
    `mint: the userId is at ${found.userIdClaims.join(' and ') || 'no readable place'}`,
    `mint: lifetime without ttlSeconds ${seconds(found.defaultTtlSeconds)}, floor ${seconds(found.floorSeconds)}, ceiling ${seconds(found.ceilingSeconds)} (asked → granted: ${granted.join(', ')})`,
    ...found.errors.map(({ what, shape }) => `mint: error format with ${what}: ${shape}`),
  ]
}

const declarations: Readonly<Record<FoundSignaling['declaration'], string>> = {
  needed: 'required',
  compared: 'must match the token; other values are rejected',
  believed: 'accepted without comparison with the token',
  'not looked at': 'ignored',
}

function listSignalingFacts({ profile, declaration, confirmation }: FoundSignaling): string[] {
  const { unauthorized, failure } = profile
  return [
    `signaling: carriage of the token: ${profile.carriage.in}`,
    `signaling: userId declared beside the token: ${declarations[declaration]}`,
    `signaling: confirmed with ${confirmation.accepted.length} accepted and ${confirmation.refused.length} rejected attempts`,
    ...(unauthorized.length === 0
      ? [
          `signaling: no rejection names 401${failure.length === 0 ? '' : ', so unauthorized is empty: add the sign that your clients handle as 401'}`,
        ]
      : []),
    ...(confirmation.letsDamagedIn
      ? [
          'signaling: WARNING: a token with a damaged signature was accepted: signatures are not verified, or the profile is wrong',
        ]
      : []),
  ]
}

/** The exchanges that a finding rests on, one line each, redacted as they were recorded. */
export function renderEvidence({ signaling, exchanges }: Detection, clean: Clean): string {
  if (!('found' in signaling)) return ''
  const { accepted, refused } = signaling.found.confirmation
  const shown = (ids: readonly string[]) =>
    exchanges.filter((one): one is WebSocketExchange => one.kind === 'websocket' && ids.includes(one.id))
  const lines = [...shown(accepted.slice(0, 2)), ...shown(refused.slice(0, 3))].map(renderAttempt)
  return `evidence:\n${lines.map((line) => `  ${clean(line)}\n`).join('')}`
}

const longest = 110

function renderAttempt({ id, request, events, verdict }: WebSocketExchange): string {
  const carried = request.headers.map(([name, value]) => `${name}: ${value}`)
  const said = events.map(({ type, text }) =>
    `${type === 'sent' ? '→' : type === 'frame' ? '←' : type} ${text}`.trim(),
  )
  const shortened = [request.url, ...carried, ...said].map((text) =>
    text.length > longest ? `${text.slice(0, longest)}…` : text,
  )
  return `${id}: ${shortened.join(' | ').replaceAll(/\s+/g, ' ')} (signaling ${verdict})`
}

export function selectCitedExchanges({ mint, signaling, exchanges }: Detection): Exchange[] {
  const cited = new Set([
    ...('found' in mint ? mint.found.evidence : []),
    ...('found' in signaling ? signaling.found.evidence : []),
  ])
  return exchanges.filter(({ id }) => cited.has(id))
}
