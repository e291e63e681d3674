import { createRedactor } from '../evidence/redact.js';
/** `secrets` are those that came up while the checks ran: a part may print what it was sent. */
export async function partLogs(started, secrets) {
    const redactor = createRedactor();
    for (const { kind, secret } of secrets)
        redactor.register(kind, secret);
    const reports = await started.look();
    return reports.map(({ log, ...report }) => ({
        ...report,
        log: `${report.part}.log`,
        text: redactor.text(log),
    }));
}
/** By the name of the file. */
export function logFiles(parts) {
    return Object.fromEntries(parts.map(({ log, text }) => [log, text]));
}
/** One line for each part to which something happened while the checks ran. */
export function partNotes(parts) {
    return parts.filter(wasDisturbed).map((part) => `meanwhile ${noteOn(part)}`);
}
/** A verdict that rests on a conversation which broke off says what had happened to the part at the other end. */
export function withPartNotes(checks, exchanges, parts) {
    const disturbed = parts.filter(wasDisturbed);
    if (disturbed.length === 0)
        return [...checks];
    const broken = new Map(exchanges.filter(hasBroken).map(({ id, to }) => [id, to]));
    return checks.map((check) => {
        if (check.verdict !== 'fail' && check.verdict !== 'error' && check.verdict !== 'untested')
            return check;
        const peers = new Set(check.findings.flatMap(({ evidence }) => evidence.map((id) => broken.get(id))));
        const notes = disturbed.filter(({ part }) => peers.has(part)).map(noteOn);
        if (notes.length === 0)
            return check;
        return { ...check, reason: [check.reason, ...notes].filter((text) => text !== null).join('; ') };
    });
}
function hasBroken(exchange) {
    return exchange.kind === 'http'
        ? exchange.failure !== undefined
        : exchange.events.some(({ type }) => type === 'error' || type === 'timeout');
}
function wasDisturbed({ state, events }) {
    return state !== 'running' || events.length > 0;
}
function noteOn({ part, state, events }) {
    return `the ${part} ${[...events, `and ${state === 'running' ? 'runs' : state} now`].join(', ')}`;
}
