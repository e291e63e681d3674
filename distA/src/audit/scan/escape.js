const longest = 24;
/** Percent, `\x`, `\u`, octal and entity escapes, in any case. */
export function escapeOf(prefix) {
    const codes = [...new Set(prefix)].map((char) => char.charCodeAt(0));
    const hex = codes.map((code) => code.toString(16)).join('|');
    const octal = codes.map((code) => code.toString(8)).join('|');
    const forms = [
        `%(?:${hex})`,
        `\\\\(?:x|u00|u\\{0*)(?:${hex})`,
        `\\\\(?:${octal})`,
        `&#x0*(?:${hex})`,
        `&#0*(?:${codes.join('|')})`,
    ];
    const pattern = new RegExp(`^(?:${forms.join('|')})`, 'i');
    return (bytes, offset) => pattern.test(bytes.toString('latin1', offset, offset + longest));
}
