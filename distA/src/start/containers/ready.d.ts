import type { StartedContainer } from './container.ts';
export interface Readiness {
    /** What answers once the part is up: scheme, and the path where there is no `health`. */
    readonly url: string;
    readonly health?: string;
    readonly timeoutSeconds: number;
    readonly clean: (text: string) => string;
    readonly signal: AbortSignal;
}
/** @throws TwotokenError `precondition`, with the container's last lines, where it does not become ready */
export declare function becomeReady(container: StartedContainer, readiness: Readiness): Promise<void>;
