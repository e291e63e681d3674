import { exchangeHtml } from './exchange.js';
import { plural, section } from './markup.js';
/**
 * Every exchange, as data that costs a browser nothing until it is looked at: the script shows some at a time. It is
 * markup already, so that it is rendered and escaped in one place.
 */
export function logHtml({ exchanges }) {
    if (exchanges.length === 0)
        return '';
    const data = exchanges.map((exchange) => [exchange.id, exchangeHtml(exchange)]);
    // Nothing in it can end the element, nor is it anything but text to a reader of XML.
    const json = JSON.stringify(data).replace(/[<&]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const note = `<p class="meta">${plural(exchanges.length, 'exchange')}; without scripts, they are in results.json.</p>`;
    const form = '<form role="search" hidden="hidden"><label for="filter">Show those that hold</label> <input id="filter" type="search" autocomplete="off" spellcheck="false"/></form>';
    const rest = '<p class="meta" role="status" hidden="hidden"></p><div hidden="hidden"></div><button type="button" hidden="hidden">Show more</button>';
    return `${section('log', 'Every exchange', `<div class="card" id="browser">${note}${form}${rest}</div>`)}<script type="application/json" id="exchanges">${json}</script>`;
}
