import type { KeyShape } from '../key-shape.ts';
import type { Audit } from '../settings.ts';
import { type KeyCandidate } from './key.ts';
import type { Scanned } from './scan.ts';
import type { Window } from './window.ts';
/** What a candidate is worth where it stands; `null` where it is nothing. */
export declare function shapeIn(key: KeyCandidate, window: Window, file: Scanned): KeyShape | null;
/** Whether a candidate ends where the secret does. */
export declare function isEndKnown(file: Scanned, window: Window, { previous, next }: Pick<KeyCandidate, 'previous' | 'next'>): boolean;
/** The whole of a key that goes on in escapes; `null` where it does not. */
export declare function withEscapes({ prefix, leastSuffix }: Audit, { text, at }: Window, key: KeyCandidate): KeyCandidate | null;
