import type { Clock } from '../clock/clock.ts';
import type { Journal } from '../evidence/exchange.ts';
import type { Redactor } from '../evidence/redact.ts';
import type { SignalingEvent } from './event-log.ts';
import type { Offer } from './offer.ts';
export interface RecorderOptions {
    readonly journal: Journal;
    readonly redactor: Redactor;
    readonly clock: Clock;
    readonly runStart: number;
}
export interface Conversation {
    readonly offer: Pick<Offer, 'url' | 'headers' | 'protocols'>;
    readonly startedAt: number;
    readonly events: readonly SignalingEvent[];
    readonly verdict: string;
}
/** Records an attempt as one exchange, without its secrets, and returns the exchange's id. */
export declare function createRecorder(options: RecorderOptions): (conversation: Conversation) => string;
