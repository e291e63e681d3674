import type { Invariant } from '../explore/invariants.ts'
import { addressOfFix } from '../reports/addresses.ts'
import { clauseText, sentenceOf } from '../reports/describe-results.ts'
import { findFixPage } from '../reports/fix-pages.ts'
import type { Heading, Method, Role, Standard } from '../requirement/define.ts'
import { needTexts } from '../requirement/needs.ts'
import { type DescribedCheck, type ListedCheck, readDescribedCatalogue } from './described.ts'
import { findCheck } from './load-requirements.ts'
import { nameBrokenVariant } from './load-variants.ts'

export interface Section {
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly items: readonly string[]
}

/** A requirement or an invariant in full: the text of `explain`, and a page of the site. */
export interface Explanation {
  readonly id: string
  readonly role: Role
  /** The requirement as a sentence, such as "the mint answers …". */
  readonly sentence: string
  /** Such as "MUST, clauses 4.1, 9.1". */
  readonly rank: string
  readonly clauses: readonly string[]
  readonly standards: readonly Standard[]
  readonly sections: readonly Section[]
}

/** Explains the requirement with this id, in any case of letters. Throws TwotokenError `usage` with the nearest ones. */
export async function explain(id: string, withVariants: boolean): Promise<Explanation> {
  const isAsked = (one: { readonly id: string }) => one.id === id.trim().toUpperCase()
  const { checks, invariants } = await readDescribedCatalogue()
  const invariant = invariants.find(isAsked)
  if (invariant !== undefined) return explainInvariant(invariant)
  return explainCheck(findCheck(id, checks), withVariants)
}

function explainInvariant(invariant: Invariant): Explanation {
  const { role, why, how, generalises, standards = [] } = invariant
  const sections = [
    say('Why', why),
    say('Method', `After every step of every story: ${how}`),
    say('Generalises', generalises.join(', ')),
    list('Other standards', standards),
    say('Try it', `twotoken explore ${role}`),
  ]
  return headed(invariant, sections, standards)
}

export function explainCheck(check: ListedCheck, withVariants: boolean): Explanation {
  const { why, basis, how, standards = [] } = check
  const sections = [
    say('Why', why),
    fixSection(check.id),
    say('Specification', ...(basis === undefined ? [] : [basis])),
    ...methodSections(how),
    list('Other standards', standards),
    needsSection(check),
    proofSection(check, withVariants),
  ]
  return headed(check, sections, standards)
}

type Head = Pick<Heading, 'id' | 'role' | 'level' | 'clauses' | 'title'>

/** Sections without a word are left out. */
function headed(head: Head, sections: readonly Section[], standards: readonly Standard[] = []): Explanation {
  const { id, role, level, clauses } = head
  return {
    id,
    role,
    sentence: sentenceOf(head),
    rank: `${level}, ${clauseText(clauses)}`,
    clauses,
    standards,
    sections: sections.filter(({ paragraphs, items }) => paragraphs.length + items.length > 0),
  }
}

function say(heading: string, ...paragraphs: readonly string[]): Section {
  return { heading, paragraphs, items: [] }
}

function list(heading: string, items: readonly string[]): Section {
  return { heading, paragraphs: [], items }
}

function fixSection(id: string): Section {
  const page = findFixPage(id)
  if (page === null) return say('Fix')
  return say('Fix', `${page.title}. ${page.text}`, `Code: ${addressOfFix(page)}`)
}

function methodSections({ does, fails = [], warns = [], untested = [] }: Method): Section[] {
  return [
    say('Method', does.join(' ')),
    list('Fails', fails),
    list('Warns', warns),
    list('Not judged', untested),
  ]
}

function needsSection({ needs, mints = 0 }: DescribedCheck): Section {
  const cost = mints === 0 ? [] : [`at most ${mints} calling ${mints === 1 ? 'token' : 'tokens'}`]
  const needed = [...new Set(needs.map((need) => sentenceOfNeed(need))), ...cost]
  return needed.length === 0 ? say('Needs', 'nothing') : list('Needs', needed)
}

function sentenceOfNeed(need: keyof typeof needTexts): string {
  const { wants, absent, appliesWithout = false } = needTexts[need]
  return absent === undefined || appliesWithout ? wants : `${wants} (or ${absent} declared under absent)`
}

function proofSection({ id, catches }: ListedCheck, withVariants: boolean): Section {
  const broken = Object.entries(catches)
  if (broken.length === 0) return say('Proof', 'no broken variants: it records only')
  const count = `${broken.length} broken ${broken.length === 1 ? 'variant' : 'variants'} of the reference`
  if (!withVariants) return say('Proof', `It catches ${count}: twotoken explain ${id} --variants lists them.`)
  return {
    heading: 'Proof',
    paragraphs: [`It catches ${count}. Start one with twotoken serve --variant:`],
    items: broken.map(([name, { as = 'fail' }]) => `${name} → ${as} (${nameBrokenVariant(id, name)})`),
  }
}
