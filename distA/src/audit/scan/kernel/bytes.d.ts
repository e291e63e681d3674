export declare const kernelBase64: string;
