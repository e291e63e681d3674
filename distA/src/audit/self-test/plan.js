import { containers, unwritable } from './containers.js';
import { planters } from './planters.js';
const deepest = 8;
export function createPlan(nextCanary) {
    const groups = new Map();
    const planted = [];
    const fail = (location, container, format, reason) => {
        const key = `${format}\0${container.join('\0')}`;
        if (groups.has(key))
            return;
        const canary = nextCanary();
        const wish = { slot: 'contents', encoding: 'plain', key: canary.key, payload: Buffer.alloc(0) };
        groups.set(key, { format, container, pending: [{ wish, canary, refused: reason, location }] });
    };
    const visit = (location, name, bytes, chain) => {
        const compression = unwritable(bytes);
        if (compression !== null)
            fail(location, chain, compression, `nothing here can write ${compression}`);
        const container = chain.length < deepest ? containers.find((one) => one.recognises(name, bytes)) : undefined;
        if (container === undefined)
            return visitFile(location, name, bytes, chain);
        try {
            return container.rewrite(name, bytes, (member) => visit(`${location}!${member.name}`, member.name.split('/').at(-1) ?? '', member.bytes, [
                ...chain,
                member.kind,
            ]));
        }
        catch (error) {
            fail(location, chain, 'archive', `it could not be written again: ${error.message}`);
            return null;
        }
    };
    const visitFile = (location, name, bytes, container) => {
        const planter = planters.find((one) => one.recognises(name, bytes));
        if (planter === undefined)
            return null;
        const key = `${planter.format}\0${container.join('\0')}`;
        let group = groups.get(key);
        if (group === undefined) {
            const pending = planter.slots.flatMap(({ slot, encodings }) => encodings.map(({ name: encoding, encode }) => {
                const canary = nextCanary();
                const wish = { slot, encoding, key: canary.key, payload: encode(canary.key) };
                return { wish, canary, refused: '', location };
            }));
            group = { format: planter.format, container, pending };
            groups.set(key, group);
        }
        if (group.pending.length === 0)
            return null;
        const { bytes: copy, refused } = attempt(() => planter.plant(bytes, group.pending.map(({ wish }) => wish)), bytes, group.pending);
        let isChanged = false;
        for (const one of [...group.pending]) {
            const reason = refused.get(one.wish);
            if (reason !== undefined) {
                Object.assign(one, { refused: reason, location });
                continue;
            }
            isChanged = true;
            group.pending.splice(group.pending.indexOf(one), 1);
            planted.push(sownOf(group, { ...one, location }));
        }
        return isChanged ? copy : null;
    };
    return {
        plantInto: (location, name, bytes) => visit(location, name, bytes, []),
        sown: () => [
            ...planted,
            ...[...groups.values()].flatMap((group) => group.pending.map((one) => ({ ...sownOf(group, one), refused: one.refused }))),
        ],
    };
}
/** A file that does not hold what its format promises takes no canary; another of its format may. */
function attempt(plant, bytes, pending) {
    try {
        return plant();
    }
    catch (error) {
        if (!(error instanceof RangeError))
            throw error;
        return { bytes, refused: new Map(pending.map(({ wish }) => [wish, 'its own tables do not hold'])) };
    }
}
function sownOf({ format, container }, { wish, canary, location }) {
    const { slot, encoding } = wish;
    return { ...canary, format, slot, encoding, container, location };
}
