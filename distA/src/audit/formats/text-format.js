import { readJson, readMarkup, readStrings } from './markup-names.js';
/** What a text is, by its beginning, and by its name where that does not tell. */
export function textFormat(name, beginning) {
    if (/^\.env(?:\.|$)|\.env$/i.test(name))
        return { name: 'env' };
    const head = beginning
        .slice(0, 2048)
        .replace(/^\u00ef\u00bb\u00bf/, '')
        .trimStart();
    if (/^<(?:!doctype html|html|head|body|script)/i.test(head) || /\.x?html?$/i.test(name))
        return { name: 'html', read: readMarkup };
    if (/^<(?:\?xml|svg|!doctype svg|!--)/i.test(head) && /<svg\b/i.test(head) && /<script\b/i.test(beginning))
        return { name: 'html', read: readMarkup };
    if (/\.strings$/i.test(name) && !/^<[?!]/.test(head))
        return { name: 'strings', read: readStrings };
    if (/<!DOCTYPE plist|<plist/.test(head))
        return { name: 'plist', read: readMarkup };
    if (/\.(?:vue|svelte)$/i.test(name))
        return { name: 'html', read: readMarkup };
    const isScript = /\.[cm]?[jt]sx?$|\.jsbundle$|\.bundle$/i.test(name);
    if (!isScript && /^<[?!a-z]/i.test(head))
        return { name: 'xml', read: readMarkup };
    if (/^(?:\)\]\}'.*\n)?[{[]/.test(head) && !isScript) {
        const isMap = /"(?:mappings|sections)"|"sources"\s*:/.test(head) || /\.map$/i.test(name);
        return { name: isMap ? 'source-map' : 'json', read: readJson };
    }
    // Typed sources are folded expression by expression.
    if (isScript)
        return { name: 'javascript', isCertain: !/\.[cm]?tsx?$/i.test(name) && !beginning.includes('@flow') };
    if (/\.(?:css|md|txt|csv|properties|ya?ml|toml|kts?|java|swift|dart|pro|cfg|ini|log|gradle|py|rb|sh)$/i.test(name))
        return { name: 'text' };
    return /(?:\bfunction\b|=>|\bvar |\bconst |\blet |__d\()/.test(beginning)
        ? { name: 'javascript', isCertain: false }
        : { name: 'text' };
}
