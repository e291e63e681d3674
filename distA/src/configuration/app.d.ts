import { z } from 'zod';
export declare const client: z.ZodObject<{
    url: z.ZodExactOptional<z.ZodString>;
    driver: z.ZodExactOptional<z.ZodString>;
    command: z.ZodExactOptional<z.ZodString>;
    tls: z.ZodDefault<z.ZodPreprocess<z.ZodBoolean, unknown>>;
    observe: z.ZodExactOptional<z.ZodObject<{
        listen: z.ZodString;
    }, z.core.$strict>>;
    users: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodObject<{
        userId: z.ZodExactOptional<z.ZodString>;
    }, z.core.$loose>>>;
    backendUrl: z.ZodExactOptional<z.ZodString>;
    signalingUrl: z.ZodExactOptional<z.ZodString>;
    ownHosts: z.ZodDefault<z.ZodArray<z.ZodString>>;
    browser: z.ZodExactOptional<z.ZodString>;
}, z.core.$strict>;
export declare const bundle: z.ZodObject<{
    paths: z.ZodArray<z.ZodString>;
    mintHost: z.ZodExactOptional<z.ZodString>;
    key: z.ZodExactOptional<z.ZodObject<{
        prefix: z.ZodExactOptional<z.ZodString>;
        minLength: z.ZodExactOptional<z.ZodPreprocess<z.ZodNumber, unknown>>;
    }, z.core.$strict>>;
}, z.core.$strict>;
export declare const start: z.ZodObject<{
    compose: z.ZodExactOptional<z.ZodString>;
    command: z.ZodExactOptional<z.ZodString>;
    containers: z.ZodExactOptional<z.ZodObject<{
        mint: z.ZodExactOptional<z.ZodObject<{
            image: z.ZodString;
            port: z.ZodPreprocess<z.ZodNumber, unknown>;
            env: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodPipe<z.ZodUnion<readonly [z.ZodString, z.ZodNumber, z.ZodBoolean]>, z.ZodTransform<string, string | number | boolean>>>>;
            health: z.ZodExactOptional<z.ZodString>;
        }, z.core.$strict>>;
        backend: z.ZodExactOptional<z.ZodObject<{
            image: z.ZodString;
            port: z.ZodPreprocess<z.ZodNumber, unknown>;
            env: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodPipe<z.ZodUnion<readonly [z.ZodString, z.ZodNumber, z.ZodBoolean]>, z.ZodTransform<string, string | number | boolean>>>>;
            health: z.ZodExactOptional<z.ZodString>;
        }, z.core.$strict>>;
        signaling: z.ZodExactOptional<z.ZodObject<{
            image: z.ZodString;
            port: z.ZodPreprocess<z.ZodNumber, unknown>;
            env: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodPipe<z.ZodUnion<readonly [z.ZodString, z.ZodNumber, z.ZodBoolean]>, z.ZodTransform<string, string | number | boolean>>>>;
            health: z.ZodExactOptional<z.ZodString>;
        }, z.core.$strict>>;
    }, z.core.$strict>>;
    readyTimeoutSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
}, z.core.$strict>;
