import { escaped } from '../escape.js';
import { linkTo, section } from './markup.js';
/** What else the run left beside the report: logs of containers, screenshots. Named, not loaded. */
export function artefactsHtml({ artefacts = [] }) {
    const items = artefacts.map(({ title, file, requirements = [] }) => `<li>${escaped(title)}: <code>${escaped(file)}</code> ${requirements.map(linkTo).join(' ')}</li>`);
    return section('artefacts', 'Beside this report', items.length === 0 ? '' : `<ul class="card plain">${items.join('')}</ul>`);
}
