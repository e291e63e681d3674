import type { Server } from 'node:http';
/** Resolves with the port; rejects with a sentence for the user when it cannot be had. */
export declare function listening(server: Server, host: string, port: number): Promise<number>;
