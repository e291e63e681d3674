import type { Clock } from '../clock/clock.ts';
/**
 * Rings at a monotonic instant, unless the returned function was called before. What the peer had sent by then is
 * read first: on a busy machine timers run before the sockets, and would overtake a frame that came in time.
 */
export declare function alarm(clock: Clock, instant: number, ring: () => void): () => void;
