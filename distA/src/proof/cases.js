import { loadCatalogue } from '../cli/catalogue.js';
import { proveCaught, proveNoPass, proveUnaccused } from './prove.js';
import { loadVariants } from './variants.js';
/** A page costs seconds: in a slice, each conforming client meets every fifth requirement, and the next one the next. */
const stride = 5;
/**
 * All that has to be proved: every broken variant is caught, no other is accused, no degenerate peer earns a pass. With
 * `isSlice` each conforming client is judged by some of the requirements, and all of them together by all.
 */
export async function loadCases(wanted = () => true, { isSlice = false } = {}) {
    const checks = (await loadCatalogue()).filter(wanted);
    /**
     * The client meets doubles only, and artefacts are only read: variants of the other parts say nothing about them, nor
     * theirs about the other parts.
     */
    const concerned = (name) => {
        const alone = ['client', 'bundle'].find((role) => name.startsWith(`${role}/`));
        return checks.filter(({ role }) => alone === undefined ? role !== 'client' && role !== 'bundle' : role === alone);
    };
    const { conforming, degenerate } = await loadVariants();
    const reference = {
        kind: 'reference',
        name: 'reference',
        prove: () => proveUnaccused(checks, 'reference', { variant: {} }),
    };
    const judges = (name, position) => concerned(name).filter(({ role }, index) => !isSlice || role !== 'client' || (index + position) % stride === 0);
    return [
        reference,
        ...[...conforming]
            .map(([name, variant], position) => ({ name, variant, checks: judges(name, position) }))
            .filter(({ checks: own }) => own.length > 0)
            .map(({ name, variant, checks: own }) => ({
            kind: 'conforming',
            name,
            prove: () => proveUnaccused(own, name, variant),
        })),
        ...[...degenerate].flatMap(([name, peer]) => {
            const negatives = checks.filter(({ id }) => peer.noPass.includes(id));
            return negatives.length === 0 ? [] : [degenerateCase(name, peer, negatives)];
        }),
        ...checks.flatMap((check) => Object.keys(check.catches).map((name) => ({
            kind: 'broken',
            name: `${check.id}/${name}`,
            prove: async () => [await proveCaught(check, name)],
        }))),
    ];
}
function degenerateCase(name, peer, negatives) {
    return { kind: 'degenerate', name, prove: () => proveNoPass(negatives, name, peer) };
}
