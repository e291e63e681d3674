import type { DoubleReaction, ScriptedMint } from '../../../src/roles/mint/double.ts'

/** Lets the next mint call fail, and answers those behind it as usual, until `double.answer(null)`. */
export function failFirstCall(double: Pick<ScriptedMint, 'answer'>, failure: DoubleReaction): void {
  let isFirst = true
  double.answer((_, ordinary) => {
    const reaction = isFirst ? failure : ordinary()
    isFirst = false
    return reaction
  })
}
