import type { RunResults } from '../results.ts';
/**
 * Every exchange, as data that costs a browser nothing until it is looked at: the script shows some at a time. It is
 * markup already, so that it is rendered and escaped in one place.
 */
export declare function logHtml({ exchanges }: RunResults): string;
