import type { z } from 'zod'
import { distance } from '../base/nearest-names.ts'
import { insteadOfKey } from '../base/removed.ts'
import { credentialForms } from '../base/schema/leaves.ts'
import type { Problem } from './document.ts'
import { type KeyPath, pathKey, showKey, valueAt } from './path.ts'
import { isCredential, isHidden, knownKeys } from './places.ts'
import type { Substituted } from './substitute.ts'

type Checked = Pick<Substituted, 'value' | 'fromEnvironment'>

/** Explains zod's issues as sentences: the observation, the expectation, the change to make. */
export function explain(error: z.ZodError, checked: Checked): Problem[] {
  return error.issues.flatMap((issue) => explainIssue(issue, [], checked))
}

type Issue = z.core.$ZodIssue
type Branches = readonly (readonly Issue[])[]

function explainIssue(issue: Issue, above: KeyPath, checked: Checked): Problem[] {
  const path = [...above, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))]
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, path))
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const branch = fitting(issue.errors, valueAt(checked.value, path))
    if (branch !== undefined) return branch.flatMap((inner) => explainIssue(inner, path, checked))
  }
  if (issue.code === 'custom' && issue.params && 'sentence' in issue.params)
    return [problem(path, issue.message)]
  return [problem(path, mismatch(path, issue, checked))]
}

function problem(path: KeyPath, sentence: string): Problem {
  return { path, sentence, about: isCredential(path) ? 'credential' : 'configuration' }
}

/** The alternative that the writer most likely meant: the fewest of its keys are missing or unknown. */
function fitting(branches: Branches, value: unknown): readonly Issue[] | undefined {
  const sameKind = flat(branches).filter((issues) =>
    issues.every((issue) => issue.path.length > 0 || isKeyIssue(issue)),
  )
  const best = sameKind.toSorted((left, right) => keyFaults(left, value) - keyFaults(right, value))[0]
  const present = best?.filter((issue) => !isMissing(issue, value))
  if (best === undefined || present?.length === best.length || sameKind.length === 1) return best
  return present?.some(isKeyIssue) === true ? present : undefined
}

function flat(branches: Branches): Branches {
  return branches.flatMap((issues) => {
    const inner = issues[0]
    const nested = inner?.code === 'invalid_union' && inner.path.length === 0 && inner.errors.length > 0
    return nested ? flat(inner.errors) : [issues]
  })
}

function keyFaults(issues: readonly Issue[], value: unknown): number {
  return issues.filter((issue) => isKeyIssue(issue) || isMissing(issue, value)).length * 100 + issues.length
}

function isKeyIssue(issue: Issue): boolean {
  return issue.code === 'unrecognized_keys' && issue.path.length === 0
}

function isMissing(issue: Issue, value: unknown): boolean {
  return issue.path.length === 1 && valueAt(value, issue.path.map(String)) === undefined
}

function unknownKey(key: string, path: KeyPath): Problem {
  const near = nearest(key, knownKeys(path))
  // Where a credential belongs, what looks like a key may be the credential itself.
  if (isHidden(path) && (near === undefined || near.edits > 2))
    return problem(
      path,
      `contains an unknown key of ${key.length} characters, expected ${credentialForms}: change it`,
    )
  const place = [...path, key]
  const instead = insteadOfKey(place.join('.'))
  if (instead !== undefined) return problem(place, `was removed: ${instead}`)
  if (near === undefined) return problem(place, 'is an unknown key: remove it')
  if (near.key === key) return problem(place, 'cannot be combined with the other keys here: keep one of them')
  return problem(place, `is an unknown key; did you mean "${near.key}"?`)
}

/** The known key that is the least edits away, upper and lower case counted as one. */
function nearest(key: string, known: readonly string[]): { key: string; edits: number } | undefined {
  return known
    .map((candidate) => ({ key: candidate, edits: distance(key.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((left, right) => left.edits - right.edits)[0]
}

function mismatch(path: KeyPath, issue: Issue, checked: Checked): string {
  const value = valueAt(checked.value, path)
  const expected = issue.message
  if (value === undefined) return `is missing, expected ${expected}: add it`
  if (value === null) return `is empty, expected ${expected}: give it a value or remove the line`
  const variable = checked.fromEnvironment.get(pathKey(path))
  const from = variable === undefined ? '' : ` (from \${${variable}})`
  const hidden = isHidden(path) || variable !== undefined
  const isText = typeof value !== 'number' && typeof value !== 'boolean'
  const isUnquoted = !isText && issue.code === 'invalid_type' && issue.expected === 'string'
  const advice = isUnquoted ? 'put it in quotes' : 'change it'
  return `is ${seen(value, hidden, issue)}${from}, expected ${expected}: ${advice}`
}

/** A value by its kind; itself only where it is no secret: a number, a yes or no, a word where one of a few stands. */
function seen(value: unknown, hidden: boolean, issue: Issue): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  if (typeof value === 'number') return hidden ? 'a number' : `the number ${value}`
  if (typeof value === 'boolean') return hidden ? 'true or false' : String(value)
  const word = String(value)
  if (word.trim() === '') return 'empty text'
  const choice = issue.code === 'invalid_value' || issue.code === 'invalid_union'
  return choice && !hidden && word.length <= 20 && showKey(word) === word
    ? `"${word}"`
    : `text of ${word.length} characters`
}
