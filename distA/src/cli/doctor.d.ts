import type { Output } from './output.ts';
export interface DoctorEnvironment extends Output {
    readonly directory: string;
    readonly variables: NodeJS.ProcessEnv;
}
/**
 * `twotoken doctor`: what of the configuration would keep a run from judging anything. Returns 2 where something does.
 * @throws TwotokenError `configuration` or `credential` where the file itself does not hold
 */
export declare function doctor({ config }: {
    readonly config?: string;
}, { directory, variables, stdout }: DoctorEnvironment): Promise<number>;
