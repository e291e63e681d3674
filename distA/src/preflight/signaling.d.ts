import type { Limits, SignalingConfiguration } from '../configuration/configuration.ts';
import { type Problem } from './problem.ts';
/** Whether a connection comes about, with TLS where the address says so; what is then spoken is judged. */
export declare function signalingProblems({ url }: SignalingConfiguration, { limits, ca }: {
    readonly limits: Limits;
    readonly ca?: readonly string[];
}): Promise<Problem[]>;
