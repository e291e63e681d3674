import type { AnyCheck } from '../check/check.ts';
import type { Output } from './output.ts';
/**
 * `twotoken explain ID`: one requirement in full.
 * @throws TwotokenError `usage` for an id that there is not
 */
export declare function explain({ id }: {
    readonly id: string;
}, { stdout }: Output): Promise<number>;
/** The requirement of this id, in any case of letters. */
export declare function checkNamed(id: string, catalogue: readonly AnyCheck[]): AnyCheck;
export declare function explainText(check: AnyCheck): string;
