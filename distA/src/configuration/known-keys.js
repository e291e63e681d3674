import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
/** Every key that the schema knows at a path, over all alternatives that may stand there. */
export function knownKeys(schema, path) {
    const here = path.reduce((schemas, part) => schemas.flatMap((candidate) => below(candidate, part)), alternatives(schema));
    const keys = here.flatMap((candidate) => candidate instanceof z.ZodObject ? Object.keys(candidate.shape) : []);
    return [...new Set(keys)];
}
/** The known key that is the least edits away, upper and lower case counted as one. */
export function nearest(key, known) {
    return known
        .map((candidate) => ({ key: candidate, edits: distance(key.toLowerCase(), candidate.toLowerCase()) }))
        .toSorted((left, right) => left.edits - right.edits)[0];
}
function below(schema, part) {
    if (schema instanceof z.ZodArray)
        return alternatives(schema.element);
    if (schema instanceof z.ZodRecord)
        return alternatives(schema.valueType);
    if (!(schema instanceof z.ZodObject))
        return [];
    const value = schema.shape[part];
    return value === undefined ? [] : alternatives(value);
}
/** What stands there once optional, default and union are looked through. */
function alternatives(schema) {
    if (schema instanceof z.ZodUnion)
        return schema.options.flatMap(alternatives);
    if (schema instanceof z.ZodExactOptional ||
        schema instanceof z.ZodDefault ||
        schema instanceof z.ZodPrefault)
        return alternatives(schema.unwrap());
    return [schema];
}
