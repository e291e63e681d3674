/** Replaces a text that is not shown. Only the suite writes it: a peer's signs are replaced at capture. */
const label = /‹[^‹›\n]{1,80}›/g

/** Text of a peer in which nothing looks like a label: it would pass the mask as one. */
export function disarmLabels(text: string): string {
  return /[‹›]/.test(text) ? text.replaceAll('‹', '<').replaceAll('›', '>') : text
}

/** The pieces of a text, in order: labels, and what stands between them. */
export function splitAtLabels(text: string): { readonly isLabel: boolean; readonly text: string }[] {
  if (!text.includes('‹')) return [{ isLabel: false, text }]
  const parts: { isLabel: boolean; text: string }[] = []
  let from = 0
  for (const { index, 0: shown } of text.matchAll(label)) {
    parts.push({ isLabel: false, text: text.slice(from, index) }, { isLabel: true, text: shown })
    from = index + shown.length
  }
  parts.push({ isLabel: false, text: text.slice(from) })
  return parts.filter((part) => part.text !== '')
}
