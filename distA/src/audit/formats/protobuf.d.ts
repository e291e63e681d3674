import type { StringTable } from '../scan/scan.ts';
/** `resources.pb` of an app bundle. */
export declare function readProtoResources(bytes: Buffer): StringTable;
/** An XML document in the form that an app bundle holds it. */
export declare function readProtoXml(bytes: Buffer): StringTable;
