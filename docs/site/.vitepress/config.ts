import { readFileSync } from 'node:fs'
import { defineConfig, type MarkdownRenderer } from 'vitepress'

interface Contents {
  readonly repository: string
  readonly bar: readonly {
    readonly text: string
    readonly items: readonly { text: string; link: string }[]
  }[]
  readonly ids: readonly string[]
}

// `docs/site/build.ts` has written the pages, and what is in them, beside a copy of this folder.
const { repository, bar, ids }: Contents = JSON.parse(
  readFileSync(new URL('../contents.json', import.meta.url), 'utf8'),
)

export default defineConfig({
  title: 'twotoken',
  description: 'Conformance and contract tests for the two-token calling flow',
  lang: 'en',
  srcDir: 'pages',
  outDir: 'html',
  // A run's report is a page without the site around it.
  ignoreDeadLinks: [/^\/example\//],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Anchors as GitHub makes them, since the pages are read there too.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .trim()
          .replaceAll(' ', '-'),
    },
    config: (markdown) => linkIds(markdown, new Set(ids)),
  },
  // The texts to search in are one file.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          // An id is one word.
          options: { tokenize: (text) => text.match(/\p{L}+-\d+|[\p{L}\p{N}_]+/gu) ?? [] },
          searchOptions: { combineWith: 'AND', prefix: true, fuzzy: false, boost: { title: 4 } },
        },
      },
    },
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Requirements', link: '/requirements' },
      { text: 'A report', link: '/example/report.html', target: '_blank' },
    ],
    sidebar: bar,
    socialLinks: [{ icon: 'github', link: repository }],
  },
})

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** Leads from ids of requirements in texts and tables to their pages; those in headings, code and links stay as they are. */
function linkIds(markdown: MarkdownRenderer, ids: ReadonlySet<string>): void {
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
