import { type Engine } from './engine.ts';
/**
 * Sees to it that an image is there, and fetches it where it is not.
 * @throws TwotokenError `precondition` where it cannot be had
 */
export declare function haveImage(engine: Engine, image: string, part: string): Promise<void>;
/** Null where the image is not on this machine. */
export declare function idOf({ docker }: Engine, image: string): Promise<string | null>;
export interface WantedImage {
    readonly name: string;
    /** The folder with the Dockerfile, and the files of it that the build may see. */
    readonly context: string;
    readonly files: readonly string[];
    readonly target: string;
    readonly buildArgs: Readonly<Record<string, string>>;
}
/** @throws TwotokenError `precondition` with what the build said last */
export declare function buildImage(engine: Engine, wanted: WantedImage): Promise<void>;
