import { type Forgery, type Original } from './forge.ts';
/**
 * The token with signatures that faulty verification takes from anybody: r and s of 0, 1, the order and the field's
 * prime, raw and in DER, and all bits zero or one. Where the token is signed otherwise its algorithm becomes ES256,
 * and blanks in its own algorithm are added.
 */
export declare function blank({ header, payload, signature, userId }: Original): Forgery[];
