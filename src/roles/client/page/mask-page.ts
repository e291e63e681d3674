import type { Page } from '@playwright/test'

/** Elements whose pixels say what no text does; those of components may have a tree that nothing else can see. */
export const unreadable =
  'input, textarea, select, canvas, video, img, picture, svg, object, embed, iframe, frame, [contenteditable], [data-twotoken-unreadable]'

/** Replaces every text of a page, also in shadow trees, by what may be shown of it. The page is of no use afterwards. */
export async function maskPage(page: Page, mask: (text: string) => string): Promise<void> {
  const texts = await page.evaluate(collectTexts)
  await page.evaluate(
    (masked) => {
      const { twotokenTexts = [] } = window as unknown as { twotokenTexts?: Text[] }
      for (const [index, node] of twotokenTexts.entries()) node.data = masked[index] ?? ''
    },
    texts.map((text) => mask(text)),
  )
}

/** Runs in the page. */
function collectTexts(): string[] {
  const found: Text[] = []
  const visit = (root: Node) => {
    for (const node of root.childNodes) {
      if (node instanceof Text) found.push(node)
      if (!(node instanceof Element) || /^(?:script|style)$/i.test(node.tagName)) continue
      if (node.tagName.includes('-') && node.shadowRoot === null)
        node.setAttribute('data-twotoken-unreadable', '')
      if (node.shadowRoot !== null) visit(node.shadowRoot)
      visit(node)
    }
  }
  visit(document.documentElement)
  ;(window as unknown as { twotokenTexts: Text[] }).twotokenTexts = found
  return found.map(({ data }) => data)
}
