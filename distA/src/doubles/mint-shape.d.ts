/** The body shapes in which a mint may carry the token (clause 4.1 leaves it open). */
export declare const mintShapes: readonly ['token', 'jwt', 'json-string', 'bare-text', 'both'];
export type MintShape = (typeof mintShapes)[number];
export interface ShapedBody {
    readonly contentType: string;
    readonly body: string;
}
export declare function shaped(shape: MintShape, jwt: string): ShapedBody;
