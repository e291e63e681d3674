import { nodeAt } from './scope.js';
import { isFields, isList } from './value.js';
/** What a destructuring pattern takes out of a value. */
export function picked(value, pick) {
    if (pick === undefined)
        return value;
    if (typeof pick === 'number')
        return isList(value) ? value[pick] : typeof value === 'string' ? value[pick] : undefined;
    return isFields(value) ? value.fields.get(pick) : undefined;
}
/** The items of an array or of arguments, with what is spread into them. */
export function listed(nodes, place, folder) {
    return nodes.flatMap((node) => {
        if (node?.type !== 'SpreadElement')
            return [folder.evaluate(node, place)];
        const spread = folder.evaluate(nodeAt(node, 'argument'), place);
        if (typeof spread === 'string')
            return [...spread];
        return isList(spread) || spread instanceof Uint8Array ? [...spread] : [undefined];
    });
}
