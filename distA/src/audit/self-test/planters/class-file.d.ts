import { type Planter } from '../planter.ts';
/** A Java class has no offsets, so that its constant pool may grow at its end. */
export declare const classFile: Planter;
