const replacement = '\ufffd'

/** How a program has spoilt an id by reading an encoding as another, completing "holds …"; null where none has to have. */
export function findGarbling(minted: string, wanted: string): string | null {
  if (minted === wanted) return null
  if (minted.includes(replacement) && !wanted.includes(replacement)) return 'U+FFFD for letters'
  if (readAsOneByte(wanted).includes(minted)) return 'the UTF-8 bytes of letters, each as one character'
  if (withQuestionMarks(wanted).includes(minted)) return 'question marks for letters'
  return isPercentEncoded(minted, wanted) ? 'the percent-encoding of characters' : null
}

function readAsOneByte(text: string): string[] {
  const bytes = Buffer.from(text)
  return [bytes.toString('latin1'), new TextDecoder('windows-1252').decode(bytes)]
}

/** Encoders write one for what ASCII or Latin-1 lacks; some count characters, others halves of a pair. */
function withQuestionMarks(text: string): string[] {
  return [/[^\0-\x7f]/gu, /[^\0-\x7f]/g, /[^\0-\xff]/gu, /[^\0-\xff]/g].map((lacking) =>
    text.replaceAll(lacking, '?'),
  )
}

function isPercentEncoded(minted: string, wanted: string): boolean {
  if (!/%[\da-f]{2}/i.test(minted)) return false
  return [minted, minted.replaceAll('+', ' ')].some((text) => {
    try {
      return decodeURIComponent(text) === wanted
    } catch {
      return false
    }
  })
}
