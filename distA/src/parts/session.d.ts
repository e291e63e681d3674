import type { Judge } from '../check/judge.ts';
import { type BrowserSource } from '../client/browser.ts';
import type { Observer } from '../client/observed.ts';
import { type Clock } from '../clock/clock.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { type Journal } from '../evidence/exchange.ts';
import { type Redactor } from '../evidence/redact.ts';
import { type HttpClient } from '../http/client.ts';
import type { ServerCertificate } from '../tls/certificates.ts';
import { type MintBudget } from './mint-budget.ts';
import { type Common, type Missing, type Need } from './parts.ts';
export interface SessionOptions {
    /** `false` leaves the expiry cases untested (`--no-wait`). */
    readonly wait?: boolean;
    readonly seed?: number;
    readonly clock?: Clock;
    /** What the mint double proves itself with, where it listens with TLS. */
    readonly doubleCertificate?: ServerCertificate;
    /** Calling tokens that may be issued; no limit where absent. */
    readonly maxMints?: number | undefined;
    /** A browser to share with other sessions; one of its own, started when a page is opened, where absent. */
    readonly browsers?: BrowserSource;
    /** Where traces and screenshots of checks that came to no good go; none are made where absent. */
    readonly evidenceFolder?: string;
    /** Somebody operates a device, which is the client under test. */
    readonly observer?: Observer;
    /** Of a client that is a program; nothing but the doubles' addresses where absent. */
    readonly environment?: NodeJS.ProcessEnv;
    /** Begins the ids of the exchanges, where other processes record for the same run. */
    readonly exchangePrefix?: string;
    /** A check begins to wait for so many seconds. */
    readonly onWaiting?: (checkId: string, seconds: number) => void;
}
/** Everything that the checks of one run share: connections, doubles, evidence, and the run's secrets. */
export interface Session extends AsyncDisposable {
    readonly configuration: Configuration;
    readonly clock: Clock;
    readonly journal: Journal;
    readonly redactor: Redactor;
    readonly http: HttpClient;
    readonly mintBudget: MintBudget;
    /** Keeps the traces and screenshots of a check, or forgets them; the names of the files. */
    settleEvidence(checkId: string, isWanted: boolean): Promise<string[]>;
    partsFor(check: {
        readonly id: string;
        readonly needs: readonly Need[];
    }, judge: Judge): Common | {
        readonly missing: Missing;
    };
}
/** Connects nothing yet but the doubles; throws `TwotokenError` when one of those cannot be started. */
export declare function openSession(configuration: Configuration, { wait, seed, clock, doubleCertificate, maxMints, browsers, exchangePrefix, environment, observer, evidenceFolder, onWaiting, }?: SessionOptions): Promise<Session>;
