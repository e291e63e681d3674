/** How a literal begins and ends, as a part of a template or inside another literal, too. */
export const openers = '"\'`}';
export const closers = '"\'`$\\';
const opening = '["\'`}]';
const closing = '["\'`$\\\\]';
const gramLength = 4;
/** Of an encoded text, somebody leaves as many characters together somewhere. */
const leastEncoded = 5;
/** Texts as short as this have no middle: they are looked for in every script. */
export const shortest = 8;
/**
 * Recognises every script that spells the text out of literals of two or more characters, or of one letter beside the one that comes before or after it;
 * where a large part is a literal, the rest may be computed.
 * @param isEncoded the text is one that nobody cuts into pieces of fewer than five characters only
 */
export function createSpelling(target, isEncoded) {
    const { length } = target;
    const middle = length >> 1;
    const large = Math.max(5, Math.ceil(length * 0.6));
    const all = piecesOf(target);
    // Without a piece of four, something else than the first and the last three characters is in shorter pieces.
    const isSign = ({ from, to }) => isEncoded ? to - from >= leastEncoded : to - from >= gramLength || (from <= middle && to > middle);
    const signs = all.filter(isSign);
    return {
        sign: length < shortest ? /^/ : new RegExp(signs.map(({ source }) => source).join('|')),
        grams: gramsOf(target).filter((_, at) => !isEncoded || at % (leastEncoded + 1 - gramLength) === 0),
        shortPieces: signs
            .filter(({ from, to }) => to - from < gramLength)
            .map(({ from, to }) => target.slice(from, to)),
        canBeSpelledIn(script) {
            if (all.some((piece) => piece.to - piece.from >= large && piece.isAlone().test(script)))
                return true;
            const isReached = [true];
            for (const { from, to, pattern } of all)
                if (isReached[from] === true && isReached[to] !== true)
                    isReached[to] = pattern().test(script);
            return isReached[length] === true;
        },
    };
}
function gramsOf(target) {
    return Array.from({ length: Math.max(0, target.length + 1 - gramLength) }, (_, at) => target.slice(at, at + gramLength));
}
/** In the order of their beginnings. */
function piecesOf(target) {
    return Array.from(target, (_, from) => Array.from({ length: target.length - from }, (_, more) => {
        const to = from + more + 1;
        const source = sourceOf(target, from, to);
        const isEnd = from > 0 && to === target.length;
        return {
            from,
            to,
            source,
            pattern: once(source),
            isAlone: once(isEnd ? source + notOnlyWords : source),
        };
    })).flat();
}
function once(source) {
    let made;
    return () => {
        made ??= new RegExp(source);
        return made;
    };
}
/** A literal such as "live_region" is a word and no end of a key. */
const notOnlyWords = `(?!(?:[a-z_]+|[A-Z_]+)${closing})`;
/** A literal that is a part of the text, or that ends or begins with its beginning or end. */
function sourceOf(target, from, to) {
    const piece = literally(target.slice(from, to));
    const isFirst = from === 0;
    const isLast = to === target.length;
    if (isFirst && isLast)
        return piece;
    // What is no letter may also be what others are joined with.
    if (to - from > 1 || isLast || /[^a-z0-9]/i.test(target[from] ?? ''))
        return `${isFirst ? '' : opening}${piece}${isLast ? '' : closing}`;
    if (isFirst)
        return `(?<![A-Za-z0-9])${piece}${closing}`;
    const before = literally(target[from - 1] ?? '');
    const after = literally(target[to] ?? '');
    const separator = `["'\`]\\s{0,9}[,+]\\s{0,9}${opening}`;
    return `${before}${separator}${piece}${closing}|${opening}${piece}${separator}${after}|\\}${piece}\\$`;
}
/** For a pattern. */
export function literally(text) {
    return text.replace(/[^\w]/g, '\\$&');
}
