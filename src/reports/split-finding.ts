export interface SplitFinding {
  readonly saw: string
  readonly expected: string
  /** Change to make in the implementation; absent where the finding does not say it. */
  readonly fix?: string
}

/** The parts of a finding's sentence: "saw …; expected …. Fix"; null where it has another form. */
export function splitFinding(message: string): SplitFinding | null {
  const [, saw, asked] = /^saw (.*); expected (.*)$/s.exec(message) ?? []
  if (saw === undefined || asked === undefined) return null
  const [, expected, fix] = /^(.*?)\. ([A-Z].*\.)$/s.exec(asked) ?? []
  return expected === undefined || fix === undefined ? { saw, expected: asked } : { saw, expected, fix }
}
