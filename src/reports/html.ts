import type { Exchange } from '../base/evidence/exchange.ts'
import { escaped, onOneLine } from './escape.ts'
import { verdictTitles, withVerdict } from './groups.ts'
import { artefactsHtml } from './html/artefacts.ts'
import { flowHtml } from './html/flow.ts'
import { headHtml } from './html/head.ts'
import { heldHtml, notJudgedHtml } from './html/listed.ts'
import { logHtml } from './html/log.ts'
import { section } from './html/markup.ts'
import { matrixHtml } from './html/matrix.ts'
import { observedHtml } from './html/observed.ts'
import { requirementHtml } from './html/requirement.ts'
import { contentSecurityPolicy, script } from './html/script.ts'
import { secretsHtml } from './html/secrets.ts'
import { style } from './html/style.ts'
import type { RunResults } from './results.ts'

/** A page that needs nothing else: the outcome first, then what to look at, then what was only recorded. */
export function renderHtml(run: RunResults): string {
  const title = `${run.target}: ${run.outcome}`
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta name="robots" content="noindex"/>
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}"/>
<title>${escaped(onOneLine(title))}</title>
<style>${style}</style>
</head>
<body>
${headHtml(run)}
<main>
${matrixHtml(run)}
${judgedHtml(run)}
${notJudgedHtml(run)}
${flowHtml(run)}
${secretsHtml(run)}
${observedHtml(run)}
${heldHtml(run)}
${artefactsHtml(run)}
${logHtml(run)}
</main>
<footer>Secrets are shown by kind, length and a fingerprint that holds for this run alone.</footer>
<script type="module">${script}</script>
</body>
</html>
`
}

/** What is not as it should be, the worst first. */
function judgedHtml(run: RunResults): string {
  const exchanges = new Map<string, Exchange>(run.exchanges.map((exchange) => [exchange.id, exchange]))
  const sections = (['fail', 'error', 'warn'] as const).map((verdict) => {
    const checks = withVerdict(run, verdict)
    const articles = checks.map((check) => requirementHtml(check, run, exchanges))
    return section(verdict, `${verdictTitles[verdict]} (${checks.length})`, articles.join('\n'))
  })
  return sections.join('')
}
