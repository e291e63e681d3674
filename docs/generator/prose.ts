const fencedBlock = /^[ \t]*```.*?^[ \t]*```[ \t]*$/gms
const inlineCode = /(?<!`)`[^`]+`(?!`)/g
const linkTarget = /\]\([^)]*\)/g

/** A page's paragraphs, table rows and list items without code, each as one line, so that a wrapped phrase is found. */
export function findProse(page: string): string[] {
  return page
    .replace(fencedBlock, '')
    .replace(inlineCode, '`…`')
    .replace(linkTarget, ']')
    .split(/\n{2,}|\n(?=\s*(?:[-|#]|\d+\.))/)
    .map((block) => block.replace(/\s+/g, ' ').trim())
    .filter((block) => block !== '')
}
