/** Subprotocols that some services insist on, whatever carries their tokens. The first is nobody's. */
export declare const knownSubprotocols: string[];
export declare const userNames: string[];
export declare const userHeaders: string[];
export declare const tokenNames: string[];
export declare const cookieNames: string[];
export declare const tokenHeaders: string[];
export declare const subprotocolPrefixes: string[];
export declare const capitalPrefixes: string[];
export declare const subprotocolPairs: string[];
export declare const kinds: string[];
export declare const kindFields: string[];
export declare const fieldTokens: string[];
export declare const containers: string[];
export declare const fieldUsers: string[];
export declare const hellos: string[];
/** Texts that are no JSON, each the way of some protocol or the obvious thing to write. */
export declare const texts: string[];
