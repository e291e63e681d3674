import type { AnyCheck } from '../check/check.ts';
import type { Output } from './output.ts';
/** `twotoken list`: the requirement catalogue, for people or (`json`) for programs. */
export declare function list({ json }: {
    readonly json?: boolean;
}, { stdout }: Output): Promise<number>;
/** The catalogue as data. */
export declare function listedChecks(checks: readonly AnyCheck[]): {
    id: string;
    role: "backend" | "bundle" | "client" | "flow" | "mint" | "signaling";
    level: import("../check/verdict.ts").Level;
    clauses: readonly string[];
    title: string;
    needs: readonly (keyof import("../parts/parts.ts").Needed)[];
    mints: number;
    brokenVariants: string[];
}[];
/** One line per requirement, under the part that it judges. */
export declare function listText(checks: readonly AnyCheck[]): string;
