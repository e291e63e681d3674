/** A node of an ESTree, as far as the folding looks at it. */
export interface Node {
    readonly type: string;
    readonly start: number;
    readonly [field: string]: unknown;
}
export declare function nodeAt(node: Node, field: string): Node | undefined;
export declare function nodesAt(node: Node, field: string): (Node | null)[];
/** One place that gives a name or a property its value, or adds to it. */
export interface Write {
    readonly value: Node;
    readonly scope: Scope;
    readonly start: number;
    readonly isAddition: boolean;
    /** The outermost loop around it in its function. */
    readonly loop: Node | null;
    /** What to take out of the value, for a name in a destructuring pattern. */
    readonly pick?: string | number;
}
/** What a name stands for in a block or function. */
export interface Scope {
    readonly parent: Scope | null;
    readonly names: Map<string, Write[]>;
    /** A `var` belongs to the function. */
    readonly isFunction: boolean;
}
export interface Scopes {
    readonly visit: (each: (node: Node, scope: Scope) => void) => void;
    readonly scopeOf: (node: Node, outer: Scope) => Scope;
    /** Values that are given to a property of any object, by the property's name. */
    readonly properties: ReadonlyMap<string, readonly Write[]>;
    readonly additions: readonly (readonly [name: string, scope: Scope])[];
}
/** Collects every scope of a tree, and who writes which name; without recursion, since trees may be deep. */
export declare function scopesOf(tree: Node): Scopes;
export declare function holderOf(name: string, scope: Scope): Scope | null;
