import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TwotokenError } from '../errors.js';
import { trusted } from '../tls/trusted.js';
import { parsePact } from '../verify/pact-file.js';
import { verifyPacts } from '../verify/verify.js';
import { inShape, ownPacts } from './own-contracts.js';
/**
 * What `run --with-contracts` adds: the committed contracts against every provider that the configuration names. Each
 * result says in `observations.requirements` which requirements it touches. To be called when the checks are done,
 * since a backend's mint double can listen only once.
 */
export async function contractsOf(configuration, options = {}) {
    const ca = await trusted(configuration.tls.ca);
    const names = await readdir(ownPacts);
    const pacts = await Promise.all(names.map(async (name) => parsePact(await readFile(join(ownPacts, name), 'utf8'), name)));
    const runs = [];
    for (const role of ['mint', 'backend'])
        if (configuration[role] !== undefined) {
            const { judged, exchanges, secrets } = await verifyPacts({
                role,
                configuration,
                choose: ({ shape }) => inShape(pacts.filter(({ provider }) => provider === role), shape),
                ...(ca === undefined ? {} : { ca }),
                ...options,
            }).catch((error) => lost(role, error));
            const own = (id) => `${role}-contract-${id}`;
            runs.push({
                checks: judged.map(({ check }) => ({
                    ...check,
                    findings: check.findings.map((finding) => ({ ...finding, evidence: finding.evidence.map(own) })),
                })),
                exchanges: exchanges.map((exchange) => ({ ...exchange, id: own(exchange.id) })),
                secrets,
            });
        }
    return {
        checks: runs.flatMap(({ checks }) => checks),
        exchanges: runs.flatMap(({ exchanges }) => exchanges),
        secrets: runs.flatMap(({ secrets }) => secrets),
    };
}
/** A provider that cannot be reached any more does not take the results of the checks with it. */
function lost(role, error) {
    if (!(error instanceof TwotokenError))
        throw error;
    const check = {
        id: `PACT-${role.toUpperCase()}`,
        title: `the contracts of the ${role}`,
        role,
        level: 'MUST',
        clauses: [],
        verdict: 'error',
        reason: error.message,
        findings: [],
        observations: {},
        durationMs: 0,
    };
    return { judged: [{ check }], exchanges: [], secrets: [] };
}
