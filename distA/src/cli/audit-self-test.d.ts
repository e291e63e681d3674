import { type SelfTestCell } from '../audit/self-test/self-test.ts';
import type { AuditEnvironment } from './audit.ts';
export interface SelfTestOptions {
    readonly paths: readonly string[];
    readonly format?: string;
    readonly out?: string;
    /** Of keys, where it is not the usual one. */
    readonly prefix?: string;
}
/** `twotoken audit --self-test`: 1 where a canary was missed, 3 where one could not be planted, 0 otherwise. */
export declare function auditSelfTest({ paths, format, out, prefix }: SelfTestOptions, { directory, stdout }: AuditEnvironment): Promise<number>;
export declare function exitCode(cells: readonly SelfTestCell[]): number;
