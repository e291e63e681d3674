const list = /(?:(?:0[xX][0-9a-fA-F]{1,2}|\d{1,3})\s*,\s*){7,}/g;
/** Without one of these, numbers become no text. */
const decoders = ['fromCharCode', 'fromCodePoint', 'TextDecoder', 'Buffer.from'];
const mostNumbers = 200_000;
/**
 * Whether a list of numbers may be the codes of a text that holds the prefix, in either direction, each of them shifted
 * or masked by the same number: then the steps from one to the next are those of the prefix.
 */
export function hasMaskedCodes(text, prefix) {
    if (!decoders.some((name) => text.includes(name)))
        return false;
    const codes = [...prefix].map((char) => char.charCodeAt(0));
    const wanted = [codes, [...codes].reverse()].flatMap((order) => [steps(order, shift), steps(order, mask)]);
    let left = mostNumbers;
    for (const [match] of text.matchAll(list)) {
        const numbers = match.split(',').slice(0, left).map(Number);
        // The last one has no comma behind it: the prefix is never the end of what is looked for.
        left -= numbers.length;
        if (left <= 0)
            return true;
        for (const step of [shift, mask]) {
            const found = `,${steps(numbers, step)}`;
            if (wanted.some((those) => found.includes(`,${those}`)))
                return true;
        }
    }
    return false;
}
const shift = (from, to) => to - from;
const mask = (from, to) => from ^ to;
function steps(numbers, step) {
    return numbers
        .slice(1)
        .map((number, at) => `${step(numbers[at] ?? 0, number)},`)
        .join('');
}
