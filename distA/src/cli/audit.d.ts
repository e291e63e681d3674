export interface AuditOptions {
    readonly paths: readonly string[];
    readonly format?: string;
    readonly out?: string;
    readonly baseline?: string;
    readonly mintHost?: string;
    /** Tokens that the mint issued, or the `results.json` of a run that saw some. */
    readonly like?: string | readonly string[];
    /** How the keys of the service begin, and how many characters follow at least. */
    readonly keyPrefix?: string;
    readonly keyMinLength?: number;
    readonly strict?: boolean;
    readonly allowIncomplete?: boolean;
}
export interface AuditEnvironment {
    readonly directory: string;
    readonly stdout: {
        write(text: string): unknown;
    };
    readonly stderr: {
        readonly isTTY?: boolean;
        write(text: string): unknown;
    };
}
/** What a configuration says about the audit: the mint's host, and how keys look. Nothing without one. */
export declare function configuredAudit(config: string | undefined, { directory, variables }: {
    readonly directory: string;
    readonly variables: NodeJS.ProcessEnv;
}): Promise<Pick<AuditOptions, 'mintHost' | 'keyPrefix' | 'keyMinLength'>>;
/** `twotoken audit`: 1 for a violation, 3 where something could not be read, 0 otherwise. */
export declare function audit(options: AuditOptions, environment: AuditEnvironment): Promise<number>;
interface Progress {
    read(location: string, bytes: number): void;
    end(): void;
}
/** One line on a terminal, once it takes longer than a second. */
export declare function createProgress({ write, isTTY }: AuditEnvironment['stderr'], now: () => number): Progress;
export {};
