import { type AnyCheck } from '../check/check.ts';
export interface Selection {
    readonly suites?: readonly string[];
    readonly only?: readonly string[];
}
/**
 * The requirements that `--suite` and `--only` leave.
 * @throws TwotokenError `usage` for a name that there is not, and where nothing is left
 */
export declare function selected(catalogue: readonly AnyCheck[], { suites, only }: Selection): AnyCheck[];
