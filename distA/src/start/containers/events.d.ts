import type { Engine } from './engine.ts';
/** What happens to containers and their networks while nobody of ours touches them. */
export interface Watching extends Disposable {
    /** By the container's id, in words and with the seconds since the watch began. */
    of(id: string): readonly string[];
}
/** Watches until disposed of. An engine that does not tell leaves the lists empty. */
export declare function watchEvents({ docker }: Engine, ids: readonly string[]): Promise<Watching>;
