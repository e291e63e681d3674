import type { Clock } from '../clock/clock.ts';
import type { FakeMintConfiguration } from '../configuration/configuration.ts';
import type { Journal } from '../evidence/exchange.ts';
import type { Redactor } from '../evidence/redact.ts';
import type { Turns } from '../parts/turns.ts';
import { type MintShape } from './mint-shape.ts';
/** What the backend under test asked of the double. */
export interface DoubleCall {
    readonly method: string;
    /** Path and query, as they came. */
    readonly target: string;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: string;
    readonly json: unknown;
    /** The `userId` of the body where it is a string. */
    readonly userId: string | null;
    readonly exchange: string;
    /** The token that the double gave, once it has answered with one. */
    readonly issued: string | null;
}
export interface DoubleAnswer {
    readonly status: number;
    readonly statusText?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string;
}
/** What the double does with a call: an answer, never an answer, or a closed connection. */
export type DoubleReaction = DoubleAnswer | 'hang' | 'reset';
/** `ordinary` is how the double would answer unscripted. */
export type DoubleScript = (call: DoubleCall, ordinary: () => Promise<DoubleAnswer>) => DoubleReaction | Promise<DoubleReaction>;
/** Issues the tokens that the double hands out: by forwarding to the real mint, or by signing. */
export interface DoubleIssuer {
    /** Whether signaling can be expected to accept the tokens. */
    readonly real: boolean;
    issue(call: DoubleCall, ttlSeconds: number | null): Promise<{
        answer: DoubleAnswer;
        jwt: string | null;
    }>;
}
/** The double while one check has it, and the backend, to itself. Everything it was told ends with the turn. */
export interface ScriptedMint {
    /** The calls since the turn began, in the order of their arrival. */
    calls(): readonly DoubleCall[];
    answer(script: DoubleScript | null): void;
    /** Puts every token into this body shape; `null` goes back to the shape that the backend is known to understand. */
    shape(shape: MintShape | null): void;
    /** Grants this lifetime whatever is asked; `null` honours the request. */
    lifetime(seconds: number | null): void;
    /** Refuses connections until disposed of. */
    refuseConnections(): Promise<AsyncDisposable>;
}
export interface MintDouble extends AsyncDisposable {
    readonly url: string;
    /** The key that the backend under test was given. */
    readonly apiKey: string;
    /** Whether its tokens can be expected to work at the real signaling. */
    readonly issuesRealTokens: boolean;
    /** `soon` goes before other turns: a token expires meanwhile. */
    alone<T>(run: (double: ScriptedMint) => Promise<T>, due?: {
        readonly soon: boolean;
    }): Promise<T>;
    /** The body shape of the tokens when no check says otherwise. */
    settleShape(shape: MintShape): void;
}
export interface MintDoubleOptions {
    readonly fakeMint: FakeMintConfiguration;
    readonly issuer: DoubleIssuer;
    readonly turns: Turns;
    readonly journal: Journal;
    readonly redactor: Redactor;
    readonly clock: Clock;
    /** The monotonic instant that recorded times count from; now where absent. */
    readonly runStart?: number;
    readonly bodyBytes: number;
    readonly certificate?: {
        readonly key: string;
        readonly cert: string;
    };
}
/** The suite's own mint, to which the backend under test has been pointed: it answers, records, and can be scripted. */
export declare function startMintDouble(options: MintDoubleOptions): Promise<MintDouble>;
