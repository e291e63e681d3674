import { hole } from '../mint-call.js';
import { callResult } from './calls.js';
import { listed, picked } from './folder.js';
import { memberOf } from './members.js';
import { arithmetic, logical, sum, unary } from './operators.js';
import { runBody, runLoop } from './run.js';
import { holderOf, nodeAt, nodesAt, scopesOf } from './scope.js';
import { isCallable, isFields, isList, textOf, truth } from './value.js';
const deepest = 150;
const longest = 262_144;
const mostSteps = 200_000;
function createFolder(scopes) {
    const known = new Map();
    const inProgress = new Set();
    let depth = 0;
    let steps = 0;
    const evaluate = (node, place) => {
        if (node === null || node === undefined || depth > deepest)
            return undefined;
        if (place.frame === null) {
            if (inProgress.has(node))
                return undefined;
            if (known.has(node))
                return known.get(node);
            inProgress.add(node);
        }
        else if (!folder.step())
            return undefined;
        depth += 1;
        try {
            const value = bounded(constantOf(node, place, folder));
            if (place.frame === null)
                known.set(node, value);
            return value;
        }
        finally {
            depth -= 1;
            if (place.frame === null)
                inProgress.delete(node);
        }
    };
    const folder = {
        evaluate,
        scopeOf: scopes.scopeOf,
        call(callee, args) {
            if (!isCallable(callee) || depth > deepest || !folder.step())
                return undefined;
            depth += 1;
            try {
                return bounded(runBody(callee, args, folder));
            }
            finally {
                depth -= 1;
            }
        },
        property(name) {
            const [only, ...more] = scopes.properties.get(name) ?? [];
            return only === undefined || more.length > 0
                ? undefined
                : evaluate(only.value, { scope: only.scope, frame: null });
        },
        step: () => ++steps < mostSteps,
    };
    return folder;
}
/** Properties by which HTTP clients are told where their calls go. */
const baseAddress = /^(?:(?:base|prefix|api|server|service|mint)_?(?:ur[il]|base|host|root|address)?|host|origin|endpoint)$/i;
/** Strings, with the place where they stand or are put together, and the addresses that clients are given. */
export function foldedStrings(tree) {
    const bases = [];
    const found = [];
    const within = new Set();
    const scopes = scopesOf(tree);
    const folder = createFolder(scopes);
    scopes.visit((node, scope) => {
        // A literal counts as well: its escapes are read as the language does.
        if (node.type === 'Literal')
            add(node['value'], node.start);
        if (!isComposed(node) || within.has(node))
            return;
        if (node.type === 'BinaryExpression')
            for (let left = nodeAt(node, 'left'); left?.type === 'BinaryExpression'; left = nodeAt(left, 'left'))
                within.add(left);
        const place = { scope, frame: null };
        add(folder.evaluate(node, place), node.start);
        const code = evaluated(node);
        if (code !== undefined)
            add(folder.evaluate(code, place), code.start, true);
    });
    for (const [name, writes] of scopes.properties)
        if (baseAddress.test(name))
            for (const { value, scope } of writes) {
                const address = folder.evaluate(value, { scope, frame: null });
                if (typeof address === 'string')
                    bases.push(address);
            }
    for (const [name, scope] of scopes.additions)
        add(written(scope.names.get(name) ?? [], name, Number.POSITIVE_INFINITY, folder), scope.names.get(name)?.[0]?.start ?? 0);
    return { strings: found, bases };
    function add(value, start, isCode = false) {
        if (typeof value === 'string')
            found.push({ value, start, isCode });
        else if (value instanceof Uint8Array)
            found.push({ value: Buffer.from(value).toString('latin1'), start, isCode });
    }
}
/** The text that `eval`, `Function` or a timer runs. */
function evaluated(node) {
    const callee = nodeAt(node, 'callee');
    const name = String(callee === undefined ? '' : (callee['name'] ?? nodeAt(callee, 'property')?.['name']));
    if (!/^(?:eval|Function|setTimeout|setInterval)$/.test(name))
        return undefined;
    return nodesAt(node, 'arguments').at(name === 'Function' ? -1 : 0) ?? undefined;
}
function isComposed({ type, operator }) {
    return type === 'BinaryExpression'
        ? operator === '+'
        : /^(?:TemplateLiteral|TaggedTemplateExpression|CallExpression|NewExpression)$/.test(type);
}
function bounded(value) {
    return (typeof value === 'string' || isList(value)) && value.length > longest ? undefined : value;
}
function constantOf(node, place, folder) {
    const at = (field) => folder.evaluate(nodeAt(node, field), place);
    switch (node.type) {
        case 'Literal': {
            const { value } = node;
            if (value instanceof RegExp)
                return isCheap(value) ? value : undefined;
            return typeof value === 'string' ||
                typeof value === 'number' ||
                typeof value === 'boolean' ||
                value === null
                ? value
                : undefined;
        }
        case 'TemplateLiteral':
            return templateText(node, 'cooked', place, folder);
        case 'TaggedTemplateExpression':
            return taggedText(node, place, folder);
        case 'BinaryExpression':
            return sumOf(node, place, folder);
        case 'LogicalExpression':
            return logical(String(node['operator']), at('left'), () => at('right'));
        case 'ConditionalExpression': {
            const test = truth(at('test'));
            return test === undefined
                ? (at('consequent') ?? at('alternate'))
                : at(test ? 'consequent' : 'alternate');
        }
        case 'UnaryExpression':
            return unary(String(node['operator']), at('argument'));
        case 'SequenceExpression':
            return nodesAt(node, 'expressions')
                .map((part) => folder.evaluate(part, place))
                .at(-1);
        case 'Identifier':
            return named(String(node['name']), node.start, place, folder);
        case 'ArrayExpression':
            return listed(nodesAt(node, 'elements'), place, folder);
        case 'ObjectExpression':
            return {
                fields: new Map(nodesAt(node, 'properties').flatMap((property) => fieldsOf(property, place, folder))),
            };
        case 'ClassDeclaration':
        case 'ClassExpression':
            return { fields: new Map(staticFields(node, place, folder)) };
        case 'MemberExpression':
            return memberOf(node, place, folder);
        case 'ParenthesizedExpression':
        case 'ChainExpression':
            return at('expression');
        case 'AssignmentExpression':
            return node['operator'] === '=' ? at('right') : undefined;
        case 'AwaitExpression':
            return at('argument');
        case 'FunctionDeclaration':
        case 'FunctionExpression':
        case 'ArrowFunctionExpression':
            return { callable: node, scope: place.scope, frame: place.frame };
        case 'CallExpression':
        case 'NewExpression':
            return callResult(node, place, folder);
        default:
            return undefined;
    }
}
/** A pattern without repetition, which no text makes slow. */
function isCheap({ source }) {
    return /^(?:[^+*{(?\\]|\\.)*\+?$/.test(source);
}
function named(name, start, place, folder) {
    for (let frame = place.frame; frame !== null; frame = frame.parent)
        if (frame.values.has(name))
            return frame.values.get(name);
    if (name === 'undefined')
        return null;
    const writes = holderOf(name, place.scope)?.names.get(name);
    return writes === undefined ? undefined : written(writes, name, start, folder);
}
/** A name that is written more often than this holds nothing that could be told. */
const mostWrites = 64;
/** What a name holds at a place, by the writes before it; by the first one where it stands before all of them. */
function written(writes, name, start, folder) {
    if (writes.length > mostWrites)
        return undefined;
    const before = writes.filter((write) => write.start < start && write.value.start < start);
    const loops = new Set();
    let value;
    for (const write of before.length > 0 ? before : writes.slice(0, 1)) {
        if (write.loop !== null && writes.length > 1) {
            if (!loops.has(write.loop))
                value = runLoop(write.loop, write.scope, name, value, folder);
            loops.add(write.loop);
            continue;
        }
        const next = picked(folder.evaluate(write.value, { scope: write.scope, frame: null }), write.pick);
        value = write.isAddition ? sum(value, next) : next;
    }
    return value;
}
function templateText(node, form, place, folder) {
    const parts = nodesAt(node, 'expressions').map((part) => textOf(folder.evaluate(part, place)) ?? hole);
    return nodesAt(node, 'quasis')
        .map((quasi, index) => {
        const text = quasi?.['value']?.[form];
        return String(text ?? '') + (parts[index] ?? '');
    })
        .join('');
}
/** `String.raw`; other tags mostly give their text back as it is. */
function taggedText(node, place, folder) {
    const quasi = nodeAt(node, 'quasi');
    const tag = nodeAt(node, 'tag');
    const isRaw = tag?.type === 'MemberExpression' && nodeAt(tag, 'property')?.['name'] === 'raw';
    return quasi === undefined ? undefined : templateText(quasi, isRaw ? 'raw' : 'cooked', place, folder);
}
/** Long chains of `+` are walked along their left side, so that they do not exhaust the stack. */
function sumOf(node, place, folder) {
    if (node['operator'] !== '+')
        return arithmetic(String(node['operator']), folder.evaluate(nodeAt(node, 'left'), place), folder.evaluate(nodeAt(node, 'right'), place));
    const parts = [];
    let left = node;
    while (left?.type === 'BinaryExpression' && left['operator'] === '+') {
        parts.push(folder.evaluate(nodeAt(left, 'right'), place));
        left = nodeAt(left, 'left');
    }
    parts.push(folder.evaluate(left, place));
    parts.reverse();
    if (!parts.some((part) => typeof part !== 'number'))
        return parts.reduce((all, part) => sum(all, part), 0);
    // An unknown part leaves a hole, where at least one other is a text.
    return parts.some((part) => typeof part === 'string' || isList(part))
        ? parts.map((part) => textOf(part) ?? hole).join('')
        : undefined;
}
function fieldsOf(property, place, folder) {
    if (property?.type === 'SpreadElement') {
        const spread = folder.evaluate(nodeAt(property, 'argument'), place);
        return isFields(spread) ? [...spread.fields] : [];
    }
    const key = property === null ? undefined : nodeAt(property, 'key');
    if (property === null || !/^Property(?:Definition)?$/.test(property.type) || key === undefined)
        return [];
    const isPlain = property['computed'] !== true && key.type === 'Identifier';
    const name = isPlain ? String(key['name']) : textOf(folder.evaluate(key, place));
    if (name === undefined)
        return [];
    return [[name, folder.evaluate(nodeAt(property, 'value'), place)]];
}
function staticFields(node, place, folder) {
    const body = nodeAt(node, 'body');
    return (body === undefined ? [] : nodesAt(body, 'body')).flatMap((member) => member?.type === 'PropertyDefinition' && member['static'] === true ? fieldsOf(member, place, folder) : []);
}
