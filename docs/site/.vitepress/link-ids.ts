import type { MarkdownRenderer } from 'vitepress'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** Leads from ids of requirements in texts and tables to their pages; those in headings, code and links stay as they are. */
export function linkIds(markdown: MarkdownRenderer, ids: ReadonlySet<string>): void {
  markdown.core.ruler.push('requirement-ids', ({ tokens, Token }) => {
    const linkText = ({ content }: Token): Token[] =>
      content.split(/\b([A-Z]+-\d\d)\b/).flatMap((piece) => {
        const text = new Token('text', '', 0)
        text.content = piece
        if (!ids.has(piece)) return [text]
        const open = new Token('link_open', 'a', 1)
        open.attrs = [['href', `/requirements/${piece}`]]
        return [open, text, new Token('link_close', 'a', -1)]
      })
    for (const [index, token] of tokens.entries())
      if (token.children !== null && tokens[index - 1]?.type !== 'heading_open')
        token.children = linkOutsideLinks(token.children, linkText)
  })
}

function linkOutsideLinks(tokens: readonly Token[], linkText: (token: Token) => Token[]): Token[] {
  let depth = 0
  return tokens.flatMap((token) => {
    if (token.type === 'link_open') depth += 1
    if (token.type === 'link_close') depth -= 1
    return token.type === 'text' && depth === 0 ? linkText(token) : [token]
  })
}
