import { type Planter } from '../planter.ts';
export declare const environmentFile: Planter;
export declare const stringsFile: Planter;
/** Text in UTF-16 with a byte order mark, as Xcode writes `.strings`. */
export declare const utf16Text: Planter;
export declare const plainText: Planter;
export declare const html: Planter;
export declare const xmlPropertyList: Planter;
export declare const xml: Planter;
