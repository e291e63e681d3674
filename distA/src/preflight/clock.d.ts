import type { Clock } from '../clock/clock.ts';
import type { Answer } from '../http/client.ts';
import type { Problem } from './problem.ts';
/** A peer whose `Date` header is off from this machine's clock: lifetimes that are read from claims would be wrong. */
export declare function clockProblems(part: 'mint' | 'backend', answer: Answer, clock: Clock): Problem[];
