import type { Conforming } from '../../fixtures/conforming.ts';
import type { AnyCheck } from '../check/check.ts';
import type { SignalingProfile } from '../configuration/configuration.ts';
import type { Cell } from './prove.ts';
export interface DetectedRun {
    /** Null where nothing was found. */
    readonly profile: SignalingProfile | null;
    readonly reason: string;
    readonly cells: readonly Cell[];
}
/** Detects a variant of the reference as if nothing were known of its signaling, and judges it by what was found. */
export declare function proveDetected(checks: readonly AnyCheck[], name: string, { variant, expected }: Conforming): Promise<DetectedRun>;
