import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import { linkIds } from './link-ids.ts'

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
