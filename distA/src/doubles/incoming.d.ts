import type { IncomingMessage } from 'node:http';
/** The headers as they came, names in lower case. */
export declare function pairsOf(raw: readonly string[]): [string, string][];
export declare function bodyOf(request: IncomingMessage, limit: number): Promise<string>;
export declare function parsedJson(text: string): unknown;
