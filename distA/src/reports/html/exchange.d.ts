import type { Exchange } from '../../evidence/exchange.ts';
/** A recorded conversation: one line that unfolds to what was said. */
export declare function exchangeHtml(exchange: Exchange): string;
