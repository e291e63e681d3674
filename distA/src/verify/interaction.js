import { isRecord } from '../tokens/decode.js';
const levels = ['MUST', 'SHOULD', 'TYPICAL', 'ADVISORY', 'INFO'];
export function interactionsOf(pacts) {
    let number = 0;
    return pacts.flatMap((pact) => pact.interactions.map((source) => {
        number += 1;
        const references = source.comments?.references?.['twotoken'];
        const said = isRecord(references) ? references : {};
        const own = typeof said['id'] === 'string';
        return {
            number,
            pact,
            source,
            own,
            id: own ? String(said['id']) : `PACT ${pact.consumer}: ${source.description}`,
            requirements: typeof said['requirements'] === 'string' ? said['requirements'].split(/,\s*/) : [],
            level: isLevel(said['level']) ? said['level'] : 'MUST',
            method: source.request?.method.toUpperCase() ?? 'GET',
            status: source.response?.status ?? 200,
            states: source.providerStates,
            injected: expressionsIn(source.request?.['generators']),
        };
    }));
}
function isLevel(value) {
    return typeof value === 'string' && levels.includes(value);
}
/** The names in `${…}` of every generator that is filled in from the provider state. */
function expressionsIn(generators) {
    if (!isRecord(generators))
        return [];
    if (generators['type'] === 'ProviderState') {
        const expression = String(generators['expression'] ?? '');
        const named = [...expression.matchAll(/\$\{([^}]+)\}/g)].map(([, name = '']) => name);
        return named.length > 0 ? named : [expression];
    }
    return [...new Set(Object.values(generators).flatMap(expressionsIn))];
}
