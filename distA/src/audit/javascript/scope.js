function isNode(value) {
    return typeof value === 'object' && value !== null && typeof value.type === 'string';
}
export function nodeAt(node, field) {
    const value = node[field];
    return isNode(value) ? value : undefined;
}
export function nodesAt(node, field) {
    const value = node[field];
    return Array.isArray(value) ? value.map((item) => (isNode(item) ? item : null)) : [];
}
/** Collects every scope of a tree, and who writes which name; without recursion, since trees may be deep. */
export function scopesOf(tree) {
    const root = { parent: null, names: new Map(), isFunction: true };
    const opened = new Map();
    const order = [];
    const stack = [{ node: tree, scope: root, loop: null }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
        const { node } = next;
        const scope = opensScope(node)
            ? { parent: next.scope, names: new Map(), isFunction: /Function/.test(node.type) }
            : next.scope;
        if (scope !== next.scope)
            opened.set(node, scope);
        const loop = /Function/.test(node.type) ? null : (next.loop ?? (isLoop(node) ? node : null));
        const visited = { node, scope, loop };
        order.push(visited);
        declare(visited, next.scope);
        const children = [];
        for (const value of Object.values(node))
            for (const child of Array.isArray(value) ? value : [value])
                if (isNode(child))
                    children.push({ node: child, scope, loop });
        for (const child of children.reverse())
            stack.push(child);
    }
    const properties = new Map();
    const additions = [];
    for (const visited of order)
        assign(visited, properties, additions);
    for (const { names } of [root, ...opened.values()])
        for (const writes of names.values())
            writes.sort((a, b) => a.start - b.start);
    return {
        visit: (each) => {
            for (const { node, scope } of order)
                each(node, scope);
        },
        scopeOf: (node, outer) => opened.get(node) ?? outer,
        properties,
        additions,
    };
}
export function holderOf(name, scope) {
    for (let at = scope; at !== null; at = at.parent)
        if (at.names.has(name))
            return at;
    return null;
}
function opensScope({ type }) {
    return /Function|^BlockStatement$|^StaticBlock$|^For|^CatchClause$/.test(type);
}
function isLoop({ type }) {
    return /^(?:For|While|DoWhile)/.test(type);
}
/** Names that a node brings into a scope. */
function declare({ node, scope, loop }, outer) {
    if (node.type === 'VariableDeclaration') {
        const target = node['kind'] === 'var' ? functionOf(scope) : scope;
        for (const declarator of nodesAt(node, 'declarations')) {
            const id = declarator === null ? undefined : nodeAt(declarator, 'id');
            const init = declarator === null ? undefined : nodeAt(declarator, 'init');
            if (id !== undefined)
                bind(id, init, { scope, target, loop });
        }
    }
    else if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') {
        const id = nodeAt(node, 'id');
        if (id !== undefined)
            bind(id, node, { scope: outer, target: outer, loop: null });
    }
    if (!/Function/.test(node.type)) {
        if (node.type === 'CallExpression')
            bindArguments(node);
        return;
    }
    const given = argumentsByFunction.get(node);
    for (const [index, parameter] of nodesAt(node, 'params').entries())
        if (parameter !== null)
            bind(parameter, given?.nodes[index] ?? undefined, { scope: outer, target: scope, loop: null });
}
/** Arguments of functions that are called where they stand. */
const argumentsByFunction = new WeakMap();
function bindArguments(call) {
    const callee = nodeAt(call, 'callee');
    if (callee !== undefined && /Function/.test(callee.type))
        argumentsByFunction.set(callee, { nodes: nodesAt(call, 'arguments') });
}
function bind(id, value, to, pick) {
    if (id.type === 'Identifier') {
        const name = String(id['name']);
        const writes = to.target.names.get(name) ?? [];
        to.target.names.set(name, writes);
        if (value !== undefined)
            writes.push({
                value,
                scope: to.scope,
                start: id.start,
                isAddition: false,
                loop: to.loop,
                ...(pick === undefined ? {} : { pick }),
            });
    }
    else if (id.type === 'AssignmentPattern') {
        const left = nodeAt(id, 'left');
        if (left !== undefined)
            bind(left, value ?? nodeAt(id, 'right'), to, pick);
    }
    else if (id.type === 'ArrayPattern')
        for (const [index, element] of nodesAt(id, 'elements').entries()) {
            if (element !== null)
                bind(element, value, to, index);
        }
    else if (id.type === 'ObjectPattern')
        for (const property of nodesAt(id, 'properties')) {
            const key = property === null ? undefined : nodeAt(property, 'key');
            const inner = property === null ? undefined : nodeAt(property, 'value');
            if (key !== undefined && inner !== undefined)
                bind(inner, value, to, String(key['name'] ?? key['value']));
        }
}
function functionOf(scope) {
    let at = scope;
    while (!at.isFunction && at.parent !== null)
        at = at.parent;
    return at;
}
/** Assignments to names and to properties, once all names are known. */
function assign({ node, scope, loop }, properties, additions) {
    const property = (name, value) => {
        if (typeof name !== 'string' || value === undefined)
            return;
        const writes = properties.get(name) ?? [];
        writes.push({ value, scope, start: node.start, isAddition: false, loop });
        properties.set(name, writes);
    };
    if (/^Property(?:Definition)?$/.test(node.type) && node['computed'] !== true) {
        const key = nodeAt(node, 'key');
        property(key?.['name'] ?? key?.['value'], nodeAt(node, 'value'));
        return;
    }
    const operator = node['operator'];
    if (node.type !== 'AssignmentExpression' || (operator !== '=' && operator !== '+='))
        return;
    const left = nodeAt(node, 'left');
    const value = nodeAt(node, 'right');
    if (left === undefined || value === undefined)
        return;
    if (left.type === 'MemberExpression') {
        const name = nodeAt(left, 'property');
        if (operator === '=')
            property(left['computed'] === true ? name?.['value'] : name?.['name'], value);
        return;
    }
    if (left.type !== 'Identifier')
        return;
    const name = String(left['name']);
    const holder = holderOf(name, scope);
    holder?.names.get(name)?.push({ value, scope, start: node.start, isAddition: operator === '+=', loop });
    if (operator === '+=' && holder !== null)
        additions.push([name, holder]);
}
