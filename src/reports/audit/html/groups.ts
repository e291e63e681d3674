import type { Finding } from '../../../../audit/src/api.ts'

export interface RuleGroup {
  readonly rule: string
  readonly level: Finding['level']
  readonly findings: readonly Finding[]
}

const levels: readonly Finding['level'][] = ['error', 'warning', 'note']

export function groupByRule(findings: readonly Finding[]): RuleGroup[] {
  const groups = Map.groupBy(findings, ({ level, rule }) => `${levels.indexOf(level)} ${rule}`)
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, [first, ...rest]]) =>
      first === undefined ? [] : [{ rule: first.rule, level: first.level, findings: [first, ...rest] }],
    )
}

export function placesOf(findings: readonly Finding[]): number {
  return findings.reduce((sum, { also = [] }) => sum + 1 + also.length, 0)
}

export function anchorOfGroup({ rule, level }: Pick<RuleGroup, 'rule' | 'level'>): string {
  return `${rule}-${level}`
}

/** The classes of the page that have the colour of a level, and a sign for readers who cannot tell them apart. */
export const tones = { error: 'fail', warning: 'warn', note: 'info', gap: 'untested' } as const
const glyphs = { error: '✕', warning: '!', note: 'i', gap: '?' } as const

export function plateOf(level: keyof typeof tones): string {
  return `<span class="plate ${tones[level]}"><span aria-hidden="true">${glyphs[level]}</span> ${level}</span>`
}
