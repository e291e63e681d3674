import { escaped } from '../escape.js';
import { section } from './markup.js';
/** What the implementation does where the specification is silent, by part; what has a section of its own is left out. */
export function observedHtml(run) {
    const groups = new Map();
    for (const [name, value] of Object.entries(run.observations)) {
        if (name.endsWith('.secretPlaces'))
            continue;
        const [part = ''] = name.split('.');
        groups.set(part, [...(groups.get(part) ?? []), [name, value]]);
    }
    const tables = [...groups].map(([part, entries]) => `<div class="card"><h3>${escaped(part)}</h3>${termsHtml(entries.map(([name, value]) => [name.slice(part.length + 1), value]))}</div>`);
    return section('observed', 'What it does where the specification is silent', tables.join('\n') + singleHtml(run));
}
/** Observations that speak of one requirement only. */
function singleHtml({ checks }) {
    const own = checks.flatMap(({ id, observations }) => {
        const entries = Object.entries(observations).filter(([name]) => !name.includes('.'));
        return entries.length === 0
            ? []
            : [`<h3><span class="id">${escaped(id)}</span></h3>${termsHtml(entries)}`];
    });
    return own.length === 0
        ? ''
        : `<details class="card"><summary>Recorded by single requirements (${own.length})</summary>${own.join('\n')}</details>`;
}
function termsHtml(entries) {
    return `<dl class="terms">${entries.map(([name, value]) => `<div><dt>${escaped(spaced(name))}</dt><dd>${valueHtml(value)}</dd></div>`).join('')}</dl>`;
}
/** Plain values as text, lists in a line, objects as terms of their own. */
function valueHtml(value) {
    if (Array.isArray(value))
        return value.length === 0 ? '<span class="none">none</span>' : value.map(valueHtml).join(', ');
    if (typeof value === 'object' && value !== null) {
        const entries = Object.entries(value);
        return entries.length === 0 ? '<span class="none">none</span>' : termsHtml(entries);
    }
    if (value === null || value === undefined || value === '')
        return `<span class="none">${value === '' ? 'empty' : 'none'}</span>`;
    if (typeof value === 'boolean')
        return value ? 'yes' : 'no';
    return `<code>${escaped(String(value))}</code>`;
}
/** `leewaySeconds` as "leeway seconds"; what is no such name stays as it is. */
function spaced(name) {
    return /^[a-z]+(?:[A-Z][a-z]+)+$/.test(name)
        ? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
        : name;
}
