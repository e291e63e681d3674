import { escaped, onOneLine } from './escape.js';
import { verdictTitles, withVerdict } from './groups.js';
import { artefactsHtml } from './html/artefacts.js';
import { flowHtml } from './html/flow.js';
import { headHtml } from './html/head.js';
import { heldHtml, notJudgedHtml } from './html/listed.js';
import { logHtml } from './html/log.js';
import { section } from './html/markup.js';
import { matrixHtml } from './html/matrix.js';
import { observedHtml } from './html/observed.js';
import { requirementHtml } from './html/requirement.js';
import { contentSecurityPolicy, script } from './html/script.js';
import { secretsHtml } from './html/secrets.js';
import { style } from './html/style.js';
/** A page that needs nothing else: the outcome first, then what to look at, then what was only recorded. */
export function renderHtml(run) {
    const title = `${run.target}: ${run.outcome}`;
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
`;
}
/** What is not as it should be, the worst first. */
function judgedHtml(run) {
    const exchanges = new Map(run.exchanges.map((exchange) => [exchange.id, exchange]));
    const sections = ['fail', 'error', 'warn'].map((verdict) => {
        const checks = withVerdict(run, verdict);
        const articles = checks.map((check) => requirementHtml(check, run, exchanges));
        return section(verdict, `${verdictTitles[verdict]} (${checks.length})`, articles.join('\n'));
    });
    return sections.join('');
}
