import type { JWK } from 'jose';
import type { Clock } from '../clock/clock.ts';
import type { AbsentName, Configuration, StateKey, UserSession } from '../configuration/configuration.ts';
import type { MintDouble } from '../doubles/mint.ts';
import type { Redactor } from '../evidence/redact.ts';
import type { HttpClient } from '../http/client.ts';
import type { Taps } from '../taps/records.ts';
import type { SigningKey } from '../tokens/signing-key.ts';
import type { Backend } from './backend.ts';
import type { CallingTokens } from './calling-tokens.ts';
import type { Client, Refusals } from './client.ts';
import type { Expiry } from './expiry.ts';
import type { Mint } from './mint.ts';
import type { Signaling } from './signaling.ts';
/** What a check can ask for, and what it then gets. */
export interface Needed {
    /** `mint.url` and `mint.apiKey`. */
    readonly mint: Mint;
    /** The shared wait for expiry. */
    readonly expiry: Expiry;
    readonly otherProjectKey: string;
    readonly trialEndedKey: StateKey;
    readonly suspendedKey: StateKey;
    readonly cappedKey: StateKey;
    /** `backend.url` and alice's session. */
    readonly backend: Backend;
    readonly bob: UserSession;
    readonly aliceSecondDevice: UserSession;
    readonly expiredSession: string;
    readonly signedOutSession: string;
    readonly mintDouble: MintDouble;
    /** `signaling.url` with a profile that can tell success from failure, or an adapter. */
    readonly signaling: Signaling;
    /** Fresh calling tokens that signaling should accept, from the mint or through the backend. */
    readonly callingTokens: CallingTokens;
    /** The service's published keys, loaded when asked for. */
    readonly jwks: () => Promise<readonly JWK[]>;
    /** A key that signaling trusts. */
    readonly testKey: SigningKey;
    /** What the parts say to each other past the suite's doubles. */
    readonly taps: Taps;
    /** The client under test, with doubles for all that it talks to. */
    readonly client: Client;
    /** A second user whom the client can sign in. */
    readonly clientBob: Readonly<Record<string, unknown>>;
    /** What the signaling double speaks, and how it refuses: checks that need an accepted or a refused dial ask for it. */
    readonly signalingDouble: Refusals;
}
export type Need = keyof Needed;
/** What every check gets besides. */
export interface Common {
    readonly configuration: Configuration;
    readonly http: HttpClient;
    readonly clock: Clock;
    readonly redactor: Redactor;
    /** A userId that nobody else in this run, or any other, uses. */
    newUser(): string;
    /** A number in [0, 1) from the run's seed. */
    random(): number;
    /** A part that would sharpen the check; a missing one is a part left untested (or not applicable). */
    optional<N extends Need>(need: N): Needed[N] | undefined;
    /** The same without a word when it is missing: for what is only observed. */
    available<N extends Need>(need: N): Needed[N] | undefined;
}
export type PartsOf<Needs extends Need> = Common & Pick<Needed, Needs>;
/** Why a part is missing: not configured, or declared as not there. */
export interface Missing {
    readonly verdict: 'untested' | 'not-applicable';
    readonly reason: string;
}
interface NeedText {
    readonly wants: string;
    /** What an implementation declares in `absent` that makes this not applicable. */
    readonly absent?: AbsentName;
}
export declare const needTexts: Readonly<Record<Need, NeedText>>;
/** The reason in the words of the configuration. */
export declare function missingPart(need: Need, configuration: Configuration): Missing;
/** Why a check cannot run, in one verdict: what does not apply outranks what is missing. Null where nothing lacks. */
export declare function firstMissing(lacking: readonly Need[], configuration: Configuration, noOracle: string | null): Missing | null;
export {};
