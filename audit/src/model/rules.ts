import type { Finding } from './finding.ts'
import type { KeyShape } from './key-shape.ts'

/** The meaning of each rule and the advice about it, for reports. */
export interface RuleText {
  readonly title: string
  readonly advice: string
}

const rotate = 'Revoke this key in the console, and mint from your own backend.'

export const ruleTexts: Readonly<Record<string, RuleText>> = {
  'AUD-001': { title: 'A server key ships in the bundle', advice: rotate },
  'AUD-002': {
    title: 'Something that looks like a server key ships in the bundle',
    advice: 'Check what it is; if it is a key, revoke it.',
  },
  'AUD-003': {
    title: 'An identifier begins with the prefix of a server key',
    advice: 'Ignore it if it is only a name.',
  },
  'AUD-004': {
    title: 'The prefix of a server key ships, bare or in pieces',
    advice: 'Make sure that no key is assembled at run time.',
  },
  'AUD-005': { title: 'A server key is assembled from pieces', advice: rotate },
  'AUD-006': { title: 'A server key ships in an encoded form', advice: rotate },
  'AUD-007': { title: 'A server key ships with single-byte XOR encoding', advice: rotate },
  'AUD-010': {
    title: 'A JWT ships in the bundle',
    advice: 'Fetch calling tokens from your backend at run time; never ship one.',
  },
  'AUD-020': {
    title: 'The bundle calls the mint endpoint on the service’s host',
    advice: 'Only a backend may mint: call your own token route instead.',
  },
  'AUD-021': {
    title: 'The bundle contains the path of the mint endpoint',
    advice: 'Make sure that it is a route of your own backend.',
  },
  'AUD-030': {
    title: 'A source map or an environment file ships',
    advice: 'Exclude it from the release.',
  },
  'AUD-090': { title: 'Not audited: encrypted', advice: 'Audit the unencrypted artefact.' },
  'AUD-091': { title: 'Not audited: corrupt', advice: 'Rebuild the artefact.' },
  'AUD-092': {
    title: 'Not audited: unsupported compression',
    advice: 'Unpack it first, and audit the result.',
  },
  'AUD-093': {
    title: 'Not audited: over a limit',
    advice: 'Unpack an archive first, and audit the result; search any other file by hand.',
  },
  'AUD-094': {
    title: 'Not audited: FairPlay-encrypted',
    advice: 'Audit the build before the store encrypts it.',
  },
  'AUD-095': { title: 'Not audited: nothing to read', advice: 'Check that this is the path that you ship.' },
  'AUD-096': {
    title: 'Read as raw bytes: its format did not parse',
    advice: 'Check that the file is complete.',
  },
  'AUD-097': { title: 'Conflicting headers', advice: 'Rebuild the artefact with the platform’s own tools.' },
  'AUD-098': {
    title: 'Not completely audited: obfuscated',
    advice:
      'Audit the build before it is obfuscated; or accept it for a while by `--allow-incomplete`, and in a run by a line under `waivers`: - { id: PKG-04, reason: obfuscated on purpose, expires: 2027-01-31 }',
  },
}

export type KeyRule = Pick<Finding, 'rule' | 'level' | 'kind'>

/** The rule and level of a key that was read in a form. */
export function keyRule(form: 'plain' | 'folded' | 'encoded' | 'xor', shape: KeyShape): KeyRule | null {
  if (shape === 'strong') {
    const rule = { plain: 'AUD-001', folded: 'AUD-005', encoded: 'AUD-006', xor: 'AUD-007' }[form]
    return { rule, level: form === 'xor' ? 'warning' : 'error', kind: 'key' }
  }
  if (form === 'xor') return null
  if (shape === 'weak')
    return {
      rule: { plain: 'AUD-002', folded: 'AUD-005', encoded: 'AUD-006' }[form],
      level: 'warning',
      kind: 'key',
    }
  if (shape === 'bare') return { rule: 'AUD-004', level: 'warning', kind: 'prefix' }
  return form === 'encoded' ? null : { rule: 'AUD-003', level: 'note', kind: 'identifier' }
}
