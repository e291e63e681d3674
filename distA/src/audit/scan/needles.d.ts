/** How the characters of a text are laid out in bytes. MUTF-8, Latin-1 and ASCII read like `utf-8` here. */
export type View = 'utf-8' | 'utf-16le' | 'utf-16be';
export type Form = 'plain' | 'reversed' | 'base64' | 'hex' | 'escaped' | 'jwt' | 'mint-path';
/** A byte sequence that betrays something, and how to read what is around it. */
export interface Needle {
    readonly bytes: Buffer;
    readonly form: Form;
    readonly view: View;
    /** For base64: which character of a group of four the needle begins with. */
    readonly phase: number;
}
/** As many bytes of a needle are looked for first. None is shorter. */
export declare const markLength = 4;
/** Every form in which the prefix of a key or the path of the mint endpoint is looked for. */
export declare function needlesFor(prefix: string): Needle[];
/** The characters that the prefix alone decides, when so many bytes stand before it in the same base64 text. */
export declare function base64At(prefix: string, shift: number): [text: string, phase: number];
/** The prefix with each character written plainly or in any of the usual escapes. */
export declare function escapedPattern(prefix: string): RegExp;
