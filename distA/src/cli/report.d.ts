import type { Output } from './output.ts';
export interface ReportOptions {
    /** The `results.json`. */
    readonly file: string;
    readonly format: string;
    /** Where to write; stdout where absent. */
    readonly out?: string;
}
/**
 * `twotoken report`: renders a result file again.
 * @throws TwotokenError `usage`, `unwritable` or `secret-in-output`
 */
export declare function report({ file, format, out }: ReportOptions, { stdout, stderr }: Output): Promise<number>;
