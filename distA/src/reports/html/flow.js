import { credentialNames } from '../credentials.js';
import { escaped, onOneLine } from '../escape.js';
import { tokenFlowOf } from '../token-flow.js';
import { badge, drawing, milliseconds } from './flow-drawing.js';
import { linkTo, section } from './markup.js';
const wide = { width: 880, gutter: 64 };
const narrow = { width: 343, gutter: 0 };
/** The token flow as it went: drawn for wide and for narrow pages, and told in words. */
export function flowHtml(run) {
    const flow = tokenFlowOf(run);
    if (flow.arrows.length === 0 && flow.leaks.length === 0)
        return '';
    const hidden = flow.mintHidden
        ? '<p class="meta">What passed between backend and mint could not be seen: the backend does not ask the suite’s mint double (backend.fakeMint).</p>'
        : '';
    const words = `<details><summary>The same in words</summary><ol class="steps">${flow.arrows.map(stepHtml).join('')}</ol></details>`;
    return section('flow', 'The token flow as it went', `<div class="card flow"><div class="wide">${drawing(flow, wide)}</div><div class="narrow">${drawing(flow, narrow)}</div>${legendHtml(flow)}${hidden}${leaksHtml(flow)}${flow.arrows.length === 0 ? '' : words}</div>`);
}
/** The three credentials of the flow, and whatever else travelled. */
function legendHtml({ arrows, leaks }) {
    const seen = [
        ...arrows.flatMap(({ carries }) => carries.map(({ kind }) => kind)),
        ...leaks.map(({ kind }) => kind),
    ];
    const kinds = [...new Set([...['session', 'calling-jwt', 'api-key'], ...seen])];
    const items = kinds.map((kind) => `<li><svg viewBox="-14 -14 28 28" width="22" height="22" aria-hidden="true">${badge(kind, 0, 0)}</svg> ${credentialNames[kind].name}</li>`);
    return `<ul class="legend" aria-label="Credentials">${items.join('')}</ul>`;
}
function leaksHtml({ leaks }) {
    if (leaks.length === 0)
        return '';
    const items = leaks.map((leak) => `<li>${leakSentence(leak)} ${leak.requirements.map(linkTo).join(' ')}</li>`);
    return `<ul class="leaks">${items.join('')}</ul>`;
}
function leakSentence({ kind, from, to, place, exchanges }) {
    const often = exchanges.length === 1 ? '' : ` (${exchanges.length} times)`;
    return escaped(onOneLine(`✕ ${credentialNames[kind].name}, from ${from} to ${to}, in ${place}${often}:`));
}
function stepHtml({ from, to, at, text, carries, exchange }) {
    const carried = carries.map(({ kind, fingerprint }) => `<span class="secret ${kind}">${credentialNames[kind].name}${fingerprint === null ? '' : ` #${fingerprint}`}</span>`);
    const what = carried.length === 0 ? '' : `, carrying ${carried.join(' and ')}`;
    return `<li>${from} → ${to}: ${escaped(onOneLine(text))}${what} <span class="time">${milliseconds(at)}, ${escaped(exchange)}</span></li>`;
}
