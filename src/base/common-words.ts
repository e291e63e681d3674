/** No words to begin with by themselves: "no session, token" says something else. */
const article = /^(?:an?|the|no)$/i

/** Leaves out the words that all names begin with, but in the first: "answers 402, 403, 500 with a token". */
export function withoutCommonWords([first = '', ...others]: readonly string[]): string[] {
  const words = first.split(' ')
  const splits = others.map((name) => name.split(' '))
  const isCommon = (at: number) => splits.every((split) => at < split.length - 1 && split[at] === words[at])
  let common = 0
  while (common < words.length - 1 && isCommon(common)) common += 1
  const isSaid = words.slice(0, common).some((word) => !article.test(word))
  return isSaid ? [first, ...splits.map((split) => split.slice(common).join(' '))] : [first, ...others]
}
