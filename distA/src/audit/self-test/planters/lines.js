import { characterReferences, plain, textEncodings, unicodeEscapes } from '../encodings.js';
import { none, refuseAll, spliced, textOf } from '../planter.js';
/** Formats whose files take another line, or another element, at a place that is easily found. */
const appending = (write) => (bytes, wishes) => ({
    bytes: Buffer.concat([
        bytes,
        Buffer.from(`\n${wishes.map((wish, at) => write(textOf(wish), at)).join('\n')}\n`),
    ]),
    refused: none,
});
const head = (bytes) => bytes.toString('utf8', 0, 2048).trimStart();
export const environmentFile = {
    format: 'env',
    recognises: (name) => /^\.env(?:\.|$)|\.env$/i.test(name),
    slots: [{ slot: 'variable', encodings: textEncodings }],
    plant: appending((text, at) => `CANARY_${at}=${text}`),
};
export const stringsFile = {
    format: 'strings',
    recognises: (name, bytes) => /\.strings$/i.test(name) && !bytes.includes(0) && !head(bytes).startsWith('<'),
    slots: [{ slot: 'value', encodings: [...textEncodings, unicodeEscapes] }],
    plant: appending((text, at) => `"canary.${at}" = "${text.replaceAll('\\u', '\\U')}";`),
};
/** Text in UTF-16 with a byte order mark, as Xcode writes `.strings`. */
export const utf16Text = {
    format: 'UTF-16 text',
    recognises: (_, bytes) => bytes.length >= 2 && [0xfffe, 0xfeff].includes(bytes.readUInt16BE(0)),
    slots: [{ slot: 'line', encodings: textEncodings }],
    plant(bytes, wishes) {
        const lines = Buffer.from(wishes.map((wish) => `\n"canary" = "${textOf(wish)}";`).join(''), 'utf16le');
        return {
            bytes: Buffer.concat([bytes, bytes[0] === 0xff ? lines : lines.swap16()]),
            refused: none,
        };
    },
};
export const plainText = {
    format: 'text',
    recognises: (_, bytes) => bytes.length > 0 && !bytes.subarray(0, 65_536).includes(0) && !bytes.subarray(-4096).includes(0),
    slots: [{ slot: 'line', encodings: textEncodings }],
    plant: appending((text, at) => `canary${at}=${text}`),
};
export const html = {
    format: 'html',
    recognises: (name, bytes) => /^<(?:!doctype html|html|head|body|script)/i.test(head(bytes)) || /\.x?html?$/i.test(name),
    slots: [
        { slot: 'attribute', encodings: [...textEncodings, characterReferences] },
        { slot: 'text', encodings: [plain, characterReferences] },
        { slot: 'comment', encodings: [plain] },
        { slot: 'inline script', encodings: [plain] },
        { slot: 'inline script, concatenated', encodings: [plain] },
    ],
    plant(bytes, wishes) {
        const at = bytes.toString('latin1').search(/<\/body\s*>(?![\s\S]*<\/body)/i);
        const place = at === -1 ? bytes.length : at;
        return {
            bytes: spliced(bytes, place, 0, Buffer.from(`${wishes.map(htmlOf).join('\n')}\n`)),
            refused: none,
        };
    },
};
function htmlOf(wish) {
    const text = textOf(wish);
    if (wish.slot === 'attribute')
        return `<meta content="${text}">`;
    if (wish.slot === 'text')
        return `<p>${text}</p>`;
    if (wish.slot === 'comment')
        return `<!-- ${text} -->`;
    if (wish.slot === 'inline script')
        return `<script>void "${text}"</script>`;
    return `<script>void ("${text.slice(0, 6)}" + "${text.slice(6)}")</script>`;
}
export const xmlPropertyList = {
    format: 'plist',
    recognises: (_, bytes) => /<!DOCTYPE plist|<plist/.test(head(bytes)),
    slots: [{ slot: 'string', encodings: [...textEncodings, characterReferences] }],
    plant(bytes, wishes) {
        const place = bytes.lastIndexOf('</dict>');
        if (place === -1)
            return refuseAll(bytes, wishes, 'its root is no dictionary');
        const added = wishes
            .map((wish, at) => `<key>canary${at}</key><string>${textOf(wish)}</string>\n`)
            .join('');
        return { bytes: spliced(bytes, place, 0, Buffer.from(added)), refused: none };
    },
};
export const xml = {
    format: 'xml',
    recognises: (_, bytes) => head(bytes).startsWith('<') && bytes.includes('</'),
    slots: [
        { slot: 'text', encodings: [...textEncodings, characterReferences] },
        { slot: 'attribute', encodings: [plain, characterReferences] },
        { slot: 'comment', encodings: [plain] },
    ],
    plant(bytes, wishes) {
        const place = bytes.lastIndexOf('</');
        const added = wishes.map((wish) => {
            const text = textOf(wish);
            if (wish.slot === 'comment')
                return `<!-- ${text} -->`;
            return wish.slot === 'text' ? `<canary>${text}</canary>` : `<canary value="${text}"/>`;
        });
        return { bytes: spliced(bytes, place, 0, Buffer.from(`${added.join('\n')}\n`)), refused: none };
    },
};
