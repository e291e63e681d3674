import { keyRule } from '../report-to.js';
import { base64Around, escapedFrom, hexAround, reversedAround, unxored } from './decode.js';
import { keyAt } from './key.js';
import { isEndKnown, shapeIn, withEscapes } from './key-in-place.js';
import { place } from './place.js';
export function reportPlain(audit, file, window) {
    const isLoose = !window.isExact && !file.isText;
    const stated = isLoose ? statedLength(window, audit.prefix) : null;
    const text = stated === null ? window.text : window.text.slice(0, window.at + stated);
    const key = keyAt(text, window.at, audit.prefix, audit.leastSuffix);
    const whole = stated === null ? withEscapes(audit, window, key) : null;
    const shape = shapeIn(whole ?? key, window, file);
    if (shape === null)
        return;
    const rule = ruleIn(window, keyRule(whole === null ? 'plain' : 'encoded', shape));
    if (rule === null)
        return;
    audit.collector.report({
        ...rule,
        ...place(file, window, window.at),
        decoder: whole === null ? window.decoder : 'escape',
        secret: (whole ?? key).secret,
        show: audit.prefix,
        ...(rule.kind !== 'key' || isEndKnown(file, window, whole ?? key)
            ? {}
            : { extent: 'uncertain' }),
    });
}
/** Nobody uses what two strings make by standing side by side; it is counted all the same. */
function ruleIn({ isTorn = false }, rule) {
    return isTorn && rule !== null ? { rule: 'AUD-003', level: 'note', kind: 'identifier' } : rule;
}
/**
 * Many binary formats put the length of a string into the byte before it (protobuf, among others), and the tag of the
 * next field directly after. Where that byte is usual punctuation, a tag has to stand before it.
 */
function statedLength({ text, at }, prefix) {
    const length = text.charCodeAt(at - 1);
    if (!(length >= prefix.length + 8 && length < 128))
        return null;
    const run = /^[A-Za-z0-9_-]*/.exec(text.slice(at, at + 512))?.[0].length ?? 0;
    const isPunctuation = /[\s"'`=:/,([{<>]/.test(text[at - 1] ?? '');
    const followsTag = /\p{Cc}/u.test(text[at - 2] ?? '') && text[at + run] !== text[at - 1];
    if (isPunctuation && !followsTag)
        return null;
    return run >= length ? length : null;
}
export function reportDecoded(audit, file, window, form, phase) {
    const { text, at } = decodedAs(form, window, phase, audit.prefix);
    if (!text.startsWith(audit.prefix, at))
        return;
    const { secret, shape, next } = keyAt(text, at, audit.prefix, audit.leastSuffix);
    const found = keyRule(form === 'reversed' ? 'folded' : 'encoded', shape);
    if (found?.kind !== 'key')
        return;
    const rule = ruleIn(window, found);
    const decoder = form === 'escaped' ? escapeName(window) : form;
    const previous = window.text[window.at - 1] ?? '';
    const isCut = form === 'escaped'
        ? !isEndKnown(file, window, { previous, next })
        : form === 'base64' && next !== '' && !/[\s"'\\,;}&<\0]/.test(next) && !file.isText;
    audit.collector.report({
        ...rule,
        ...place(file, window, window.at),
        decoder,
        secret,
        show: audit.prefix,
        ...(isCut ? { extent: 'uncertain' } : {}),
    });
}
/** By the first escape: the characters before it may be plain. */
function escapeName({ text, at }) {
    const [first = ''] = /[\\%&]/.exec(text.slice(at)) ?? [];
    return { '%': 'percent', '&': 'entity' }[first] ?? 'escape';
}
function decodedAs(form, { text, at }, phase, prefix) {
    if (form === 'base64')
        return base64Around(text, at, phase);
    if (form === 'hex')
        return hexAround(text, at);
    if (form === 'reversed')
        return reversedAround(text, at, prefix);
    return escapedFrom(text, at);
}
export function reportXored(audit, file, offset, key) {
    const text = unxored(file.bytes, offset, key);
    const { secret, shape } = keyAt(text, 0, audit.prefix, audit.leastSuffix);
    const rule = keyRule('xor', shape);
    if (rule === null)
        return;
    const { location, format, base = 0 } = file;
    audit.collector.report({
        ...rule,
        location,
        format,
        decoder: 'xor',
        offset: base + offset,
        secret,
        show: audit.prefix,
        extent: 'uncertain',
    });
}
