import type { Backend } from '../parts/backend.ts';
import type { MintDouble } from './mint.ts';
/** Where no real mint shows its body shape, the first that the backend understands is kept (clause 4.1). */
export declare function settleShape(double: MintDouble, backend: Backend): Promise<void>;
/** The authorities to trust in addition (`tls.ca`), as PEM. */
