import { auditInMemory } from '../../src/audit/audit.js';
/** What an audit would find of server keys in a text, or of calls of the mint in a script; only what it is sure of. */
export async function leaksIn(text, location, mintHost) {
    const isScript = /javascript|html|blob|run time|data URL/.test(location);
    const name = isScript ? 'script.js' : location.endsWith('.map') ? 'script.js.map' : 'text.txt';
    const { findings } = await auditInMemory({ location, name, bytes: Buffer.from(text) }, mintHost === undefined ? {} : { mintHost });
    return findings.filter(({ level }) => level === 'error');
}
export async function keysIn(text, location) {
    return (await leaksIn(text, location)).filter(({ kind }) => kind === 'key');
}
