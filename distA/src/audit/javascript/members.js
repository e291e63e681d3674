import { nodeAt } from './scope.js';
import { isFields, isList } from './value.js';
/** The value of a property of a constant, or of a property that the script gives one value only. */
export function memberOf(node, place, folder) {
    const owner = nodeAt(node, 'object');
    const property = nodeAt(node, 'property');
    const name = node['computed'] === true ? folder.evaluate(property, place) : property?.['name'];
    if (typeof name !== 'string' && typeof name !== 'number')
        return undefined;
    const object = folder.evaluate(owner, place);
    if (typeof object === 'string' || isList(object) || object instanceof Uint8Array) {
        if (name === 'length')
            return object.length;
        const index = typeof name === 'number' ? name : /^(?:0x[0-9a-f]+|\d+)$/i.test(name) ? Number(name) : undefined;
        return index === undefined ? undefined : object[index];
    }
    const own = isFields(object) ? object.fields.get(String(name)) : undefined;
    return own ?? (typeof name === 'string' ? folder.property(name) : undefined);
}
