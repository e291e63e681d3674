import { isDeepStrictEqual } from 'node:util'
import { Document, isMap, isScalar, parseDocument, visit } from 'yaml'
import type { SignalingProfile } from '../roles/signaling/types.ts'
import type { Detection } from './detect.ts'

export interface Setting {
  readonly part: 'mint' | 'signaling' | 'token'
  readonly key: string
  readonly value: unknown
}

/** Lists the findings by the keys of `twotoken.yaml`. */
export function toSettings({ mint, signaling }: Detection): Setting[] {
  const settings: Setting[] = []
  if ('found' in mint) {
    const { floorSeconds, field, userIdClaims, takesUuidsOnly, jwks } = mint.found
    const [claim, ...others] = userIdClaims
    if (floorSeconds !== null) settings.push({ part: 'mint', key: 'minTtlSeconds', value: floorSeconds })
    if (takesUuidsOnly) settings.push({ part: 'mint', key: 'userIds', value: { pattern: 'uuid' } })
    if (field !== 'auto') settings.push({ part: 'token', key: 'field', value: field })
    if (claim !== undefined && others.length > 0)
      settings.push({ part: 'token', key: 'userIdClaim', value: claim })
    if (jwks !== null) settings.push({ part: 'token', key: 'jwks', value: jwks })
  }
  if ('found' in signaling)
    settings.push({ part: 'signaling', key: 'profile', value: toWrittenProfile(signaling.found.profile) })
  return settings
}

/** A profile as a user would write it, without its empty samples. */
function toWrittenProfile({ samples: _, ...profile }: SignalingProfile): unknown {
  return profile
}

export function renderFragment(settings: readonly Setting[]): string {
  const parts = [...new Set(settings.map(({ part }) => part))]
  const fragment = parts.map((part) => {
    const own = settings.filter((setting) => setting.part === part)
    return [part, Object.fromEntries(own.map(({ key, value }) => [key, value]))]
  })
  return fragment.length === 0 ? '' : toYaml(Object.fromEntries(fragment))
}

/** Characters that a service may have put into a value, and that a terminal or a CI system would follow. */
const active = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|##/u

function toYaml(value: unknown): string {
  const document = new Document(value)
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && active.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0, doubleQuotedAsJSON: true })
}

/**
 * The text of the file with a setting put in, and every other byte as it was. Where its part is written in a form that
 * a line cannot be added to, the whole is written anew; comments stay in any case. Only a profile replaces an earlier
 * value: the others were decisions of the user.
 */
export function insertSetting(text: string, { part, key, value }: Setting): string {
  const wanted = parseDocument(text)
  if (part !== 'signaling' && wanted.hasIn([part, key])) return text
  wanted.setIn([part, key], wanted.createNode(value))
  const whole = wanted.toString({ lineWidth: 0 })
  const line = insertLine(text, { part, key, value })
  return line !== null && isDeepStrictEqual(parseDocument(line).toJS(), parseDocument(whole).toJS())
    ? line
    : whole
}

/** The same by adding lines; null where no block can take them, or the block has the key already. */
function insertLine(text: string, { part, key, value }: Setting): string | null {
  const document = parseDocument(text)
  const block = document.get(part)
  if (block === undefined) {
    const end = text.endsWith('\n') ? '' : '\n'
    return `${text}${end}\n${toYaml({ [part]: { [key]: value } })}`
  }
  if (!isMap(block) || block.flow === true || block.has(key)) return null
  const [first] = block.items
  const start = isScalar(first?.key) ? first.key.range?.[0] : undefined
  if (start === undefined) return null
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const indent = text.slice(lineStart, start)
  if (indent.trim() !== '' || indent === '') return null
  const added = toYaml({ [key]: value })
    .trimEnd()
    .split('\n')
    .map((line) => `${indent}${line}\n`)
    .join('')
  const lineEnd = text.indexOf('\n', start) + 1
  // Behind the first key where that takes one line, else before it.
  const at = isScalar(first?.value) && lineEnd > 0 ? lineEnd : lineStart
  return text.slice(0, at) + added + text.slice(at)
}
