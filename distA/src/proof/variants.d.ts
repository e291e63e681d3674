import type { Conforming, Degenerate } from '../../fixtures/conforming.ts';
export interface Variants {
    readonly conforming: ReadonlyMap<string, Conforming>;
    readonly degenerate: ReadonlyMap<string, Degenerate>;
}
/** Every conforming and every degenerate variant as `file/name`, from the files of `fixtures/variants/`. */
export declare function loadVariants(): Promise<Variants>;
