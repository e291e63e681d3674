/** The label that says which process a container, a network or a volume belongs to. */
export declare const ownerLabel = "org.twotoken.owner";
/** The machine, the process, and when it began: a process id alone is given away again. */
export declare function ownerOfThisProcess(): Promise<string>;
/** The name of the compose project that a process brings up; it leads back to its owner. */
export declare function projectOf(owner: string): string;
export interface Belonging {
    readonly labels: Readonly<Record<string, string>> | null | undefined;
    /** Seconds since 1970. */
    readonly createdAt: number;
}
/** Whether something was made by a twotoken that is there no more. What another machine made is left alone for a day. */
export declare function isOrphan({ labels, createdAt }: Belonging): Promise<boolean>;
