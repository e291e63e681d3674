import type { Dialogue } from '../ask-backend.ts'

/** A user who types these lines, and Enter after them; `shown` is what the user saw, `hidden` the questions for secrets. */
export function scriptDialogue(lines: readonly string[]) {
  const left = [...lines]
  const shown: string[] = []
  const hidden: string[] = []
  const dialogue: Dialogue = {
    ask: async (question, { isHidden = false, proposal } = {}) => {
      shown.push(proposal === undefined ? question : `${question} [${proposal}]`)
      if (isHidden) hidden.push(question)
      return left.shift() ?? ''
    },
    confirm: async (question, isProposed) => {
      shown.push(question)
      const typed = left.shift() ?? ''
      return typed === '' ? isProposed : typed === 'y'
    },
    choose: async (question, values, proposed) => {
      shown.push(`${question} ${values.join(', ')}`)
      const typed = left.shift() ?? ''
      return values.includes(typed) ? typed : proposed
    },
    say: (text) => void shown.push(text),
  }
  return { dialogue, shown, hidden }
}
