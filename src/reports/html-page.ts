import { createHash } from 'node:crypto'

export interface HtmlPage {
  /** Escaped. */
  readonly title: string
  readonly style: string
  /** Everything on the page, without its script. */
  readonly body: string
  /** The only program that the page may run. */
  readonly script?: string
}

/** A page that contains everything it needs, is well-formed, and asks no search engine to list it. */
export function renderPage({ title, style, body, script = '' }: HtmlPage): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta name="robots" content="noindex"/>
<meta http-equiv="Content-Security-Policy" content="${policyFor(script)}"/>
<title>${title}</title>
<style>${style}</style>
</head>
<body>
${body}
${script === '' ? '' : `<script type="module">${script}</script>\n`}</body>
</html>
`
}

/** Allows a script of the page, its styles, and nothing else. */
function policyFor(own: string): string {
  const hash = createHash('sha256').update(own).digest('base64')
  return `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
}
