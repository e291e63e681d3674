/** How a kind is called, and the letter that tells it apart where colours do not. */
export const credentialNames = {
    session: { name: 'sessionToken', letter: 'A' },
    'calling-jwt': { name: 'calling JWT', letter: 'B' },
    'api-key': { name: 'API key', letter: 'K' },
    'forged-jwt': { name: 'forged JWT', letter: 'F' },
    jwt: { name: 'other JWT', letter: 'J' },
    secret: { name: 'secret', letter: 'S' },
};
const label = /‹(?:encoded )?(session|calling-jwt|api-key|forged-jwt|jwt|secret), \d+ characters(?:, #([0-9a-f]{8}))?›/g;
/** Every secret that a redacted text speaks of, each once. */
export function credentialsIn(text) {
    if (!text.includes('‹'))
        return [];
    const found = new Map();
    for (const [, kind, fingerprint = null] of text.matchAll(label))
        found.set(`${kind} ${fingerprint}`, { kind: kind, fingerprint });
    return [...found.values()];
}
/** Replaces every label in a text that is already markup. */
export function withLabels(text, replace) {
    if (!text.includes('‹'))
        return text;
    return text.replace(label, (shown, kind) => replace(shown, kind));
}
