/** Is told what is about to be read, and how many bytes that are. */
export type Progress = (location: string, bytes: number) => void;
/** Says after each megabyte what is read next, and how many bytes were read before. Locations inside containers are told. */
export declare function createProgress(tell: Progress): Progress;
