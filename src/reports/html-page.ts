import { createHash } from 'node:crypto'

/** The part of a page's script that opens the fold which a link points into. */
export const revealScript = `
const reveal = () => {
  const place = document.getElementById(location.hash.slice(1))
  for (let fold = place; fold; fold = fold.parentElement) if (fold.tagName === 'DETAILS') fold.open = true
  if (place) place.scrollIntoView()
}
addEventListener('hashchange', reveal)
if (location.hash !== '') reveal()
`

/**
 * A page that contains everything it needs, is well-formed, and asks no search engine to list it.
 * @param hasPictures it shows pictures of files beside it
 */
export function renderPage(
  escapedTitle: string,
  { style, body, script }: Readonly<Record<'style' | 'body' | 'script', string>>,
  hasPictures = false,
): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta name="robots" content="noindex"/>
<meta http-equiv="Content-Security-Policy" content="${policyFor(script, hasPictures)}"/>
<title>${escapedTitle}</title>
<style>${style}</style>
</head>
<body>
${body}
<script type="module">${script}</script>
</body>
</html>
`
}

/** Allows a script of the page, its styles, pictures in it or beside it, and nothing else. */
function policyFor(own: string, hasPictures: boolean): string {
  const hash = createHash('sha256').update(own).digest('base64')
  return `default-src 'none'; style-src 'unsafe-inline'; img-src ${hasPictures ? "data: 'self' file:" : 'data:'}; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
}
