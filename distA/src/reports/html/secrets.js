import { escaped } from '../escape.js';
import { secretTableOf } from '../secret-places.js';
import { scrollable, section } from './markup.js';
const cells = {
    belongs: '<td class="belongs"><span aria-hidden="true">●</span> belongs</td>',
    'out of place': '<td class="stray"><span aria-hidden="true">✕</span> out of place</td>',
    'not seen': '<td class="absent"><span aria-hidden="true">○</span> not seen</td>',
};
const notLookedFor = '<td class="absent"><span aria-hidden="true">–</span> <span class="unseen">not looked for</span></td>';
/** Which secret was seen at which place. */
export function secretsHtml(run) {
    const { secrets, rows } = secretTableOf(run);
    if (rows.length === 0)
        return '';
    const heads = secrets.map((secret) => `<th scope="col">${escaped(secret)}</th>`);
    const lines = rows.map(({ place, cells: found }) => `<tr><th scope="row">${escaped(place)}</th>${found.map((cell) => (cell === null ? notLookedFor : cells[cell])).join('')}</tr>`);
    const table = `<table class="secrets"><thead><tr><th scope="col">place</th>${heads.join('')}</tr></thead><tbody>${lines.join('\n')}</tbody></table>`;
    return section('secrets', 'Where each secret was seen', scrollable('Secrets by place', table));
}
