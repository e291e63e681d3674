import type { Sighting } from '../model/collector.ts'
import { OverEffort, ofScript, partOf } from '../model/effort.ts'
import { takeTurn } from '../model/turns.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { holdsMintPath } from './clues/clues.ts'
import { fragmentsOf } from './clues/fragments.ts'
import { createOffsets, isMentionedAt, reportFolded } from './fold-script.ts'
import { foldStrings } from './fold-strings.ts'
import { treeBytesOfByte } from './fold-where-worth.ts'
import { walk } from './links/chunk-modules.ts'
import { type JoinedScripts, joinScripts } from './links/join-scripts.ts'
import { type FolderFile, type LinkedScript, linkScripts } from './links/script-links.ts'
import { ownHost } from './mint-requests.ts'
import type { Node } from './parse/scope.ts'

/**
 * Reports keys, tokens and calls of the mint that scripts of one folder or archive put together out of what they export to
 * each other. Each script alone was read before, and what it could not tell is a warning of its own: a limit here is no gap.
 */
export function foldTogether(audit: ScanContext, files: readonly FolderFile[]): void {
  let left = mostTogether
  const isWorth = (bytes: Buffer) => {
    const read = fragmentsOf(audit.prefix).read(bytes)
    return read.hasPiece || read.isSpelled()
  }
  for (const scripts of linkScripts(files, audit.archive.parts, isWorth)) {
    left -= scripts.reduce((sum, { bytes }) => sum + bytes.length, 0)
    if (left < 0) return
    foldLinked(audit, scripts)
  }
}

function foldLinked(audit: ScanContext, scripts: readonly LinkedScript[]): void {
  const size = scripts.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const { steps, bytes } = ofScript(size)
  const effort = partOf(audit.effort, { steps: steps * shareOfScript, bytes })
  using _turn = takeTurn(treeBytesOfByte * size)
  try {
    const joined = joinScripts(scripts)
    if (joined !== null) foldJoined({ ...audit, effort }, scripts, joined)
  } catch (error) {
    if (!(error instanceof OverEffort)) throw error
  }
}

/** Bytes of all scripts of a folder or archive that are folded together. */
const mostTogether = 4 * 1024 * 1024
/** Each of them had all that a script may cost before. */
const shareOfScript = 0.25
const shareOfFolding = 0.75

function foldJoined(audit: ScanContext, scripts: readonly LinkedScript[], joined: JoinedScripts): void {
  const { effort, prefix } = audit
  const { tree, source, placeOf } = joined
  const folding = partOf(effort, { steps: effort.steps * shareOfFolding, bytes: effort.bytes })
  const { strings, requests } = foldStrings({ tree, source, prefix }, folding, {
    hasPath: holdsMintPath(source),
  })
  const texts = scripts.map(({ bytes }) => bytes.toString('utf8'))
  const known = exceptKnownIn(audit, scripts)
  const report = (value: string, start: number) => {
    const { index, place } = placeOf(start)
    const [script, text] = [scripts[index], texts[index]]
    if (script === undefined || text === undefined) return
    const file = { ...script, format: 'javascript' }
    const isMentioned = isMentionedAt(text, place, value, file)
    const folded = { value, address: undefined, isMentioned }
    const also = () => placesOf(tree, value, prefix, joined, scripts).filter((one) => one !== script.location)
    reportFolded(known(also), file, folded, () => script.base + createOffsets(text, script.bytes)(place))
  }
  for (const { value, start } of strings)
    if (value.includes(prefix) || /calling\/token|e[wy]/.test(value)) report(value, start)
  for (const { address, start } of requests)
    report(address.startsWith(ownHost) ? address.slice(ownHost.length) : address, start)
}

/** Reports only what none of the scripts has by itself, and no more than errors: the rest is known of each script. */
function exceptKnownIn(audit: ScanContext, scripts: readonly LinkedScript[]) {
  const { collector } = audit
  const isKnown = (secret: string) => scripts.some(({ location }) => collector.has(location, secret))
  return (also: () => string[]): ScanContext => ({
    ...audit,
    collector: {
      ...collector,
      report(sighting: Sighting) {
        if (sighting.level !== 'error' || isKnown(sighting.secret)) return
        const others = also()
        collector.report(others.length === 0 ? sighting : { ...sighting, also: others })
      },
    },
  })
}

/** Characters of a piece that no other text has by chance. */
const leastPiece = 4

/** Lists the scripts with a piece of a text, in the order of the first of their pieces. */
function placesOf(
  tree: Node,
  value: string,
  prefix: string,
  { placeOf }: JoinedScripts,
  scripts: readonly LinkedScript[],
): string[] {
  const key = value.slice(Math.max(0, value.indexOf(prefix)))
  const places = new Set<string>()
  walk(tree, (node) => {
    const text = textOf(node)
    if (text.length >= leastPiece && key.includes(text))
      places.add(scripts[placeOf(node.start).index]?.location ?? '')
  })
  return [...places].sort()
}

function textOf({ type, value }: Node): string {
  const text = type === 'TemplateElement' ? (value as { cooked?: unknown }).cooked : value
  return (type === 'Literal' || type === 'TemplateElement') && typeof text === 'string' ? text : ''
}
