import type { Exchange } from '../evidence/exchange.ts';
import type { Detection } from './detect.ts';
/** What was found, as a fragment of `twotoken.yaml` with the facts as remarks. */
export declare function detectionText(detection: Detection): string;
/** The exchanges that a finding rests on, one line each, redacted as they were recorded. */
export declare function evidenceText({ signaling, exchanges }: Detection): string;
/** Of everything that was exchanged, what was found rests on these. */
export declare function citedExchanges({ mint, signaling, exchanges }: Detection): Exchange[];
