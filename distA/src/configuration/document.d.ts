import type { Origin } from './problem.ts';
/**
 * Reads the text of a configuration file.
 * @throws TwotokenError `configuration` where it is not one YAML mapping; the sentence shows nothing of the text, since
 * a credential may stand there
 */
export declare function parseConfigurationText(text: string, file: string): {
    readonly written: unknown;
    readonly origin: Origin;
};
