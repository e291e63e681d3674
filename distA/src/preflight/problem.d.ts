import type { NoAnswer } from '../http/client.ts';
/** Something that would make verdicts worthless: it is the configuration or the network, not the implementation. */
export interface Problem {
    readonly part: 'mint' | 'backend' | 'signaling' | 'client' | 'token' | 'clock';
    readonly kind: 'url' | 'refused' | 'name' | 'tls' | 'key' | 'session' | 'clock' | 'credential' | 'port' | 'driver' | 'peer';
    /** What was seen, what was expected, what to do. */
    readonly message: string;
    /** Whether nothing about the part can be judged. */
    readonly fatal: boolean;
}
/** A peer that gave no whole answer; `setting` is the key of the configuration that names its address. */
export declare function noAnswerProblem(part: Problem['part'], setting: string, url: string, { failure, message }: Pick<NoAnswer, 'failure' | 'message'>): Problem;
