import { z } from 'zod';
export declare const carriage: z.ZodDiscriminatedUnion<[z.ZodObject<{
    in: z.ZodLiteral<"header">;
    name: z.ZodString;
    template: z.ZodString;
}, z.core.$strict>, z.ZodObject<{
    in: z.ZodLiteral<"subprotocol">;
    protocols: z.ZodArray<z.ZodString>;
}, z.core.$strict>, z.ZodObject<{
    in: z.ZodLiteral<"query">;
    name: z.ZodString;
}, z.core.$strict>, z.ZodObject<{
    in: z.ZodLiteral<"cookie">;
    name: z.ZodString;
}, z.core.$strict>, z.ZodObject<{
    in: z.ZodLiteral<"message">;
    template: z.ZodString;
    after: z.ZodDefault<z.ZodUnion<readonly [z.ZodLiteral<"open">, z.ZodObject<{
        frame: z.ZodObject<{
            path: z.ZodString;
            equals: z.ZodUnion<readonly [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodNull]>;
        }, z.core.$strict>;
    }, z.core.$strict>, z.ZodObject<{
        text: z.ZodObject<{
            startsWith: z.ZodString;
        }, z.core.$strict>;
    }, z.core.$strict>]>>;
}, z.core.$strict>], "in">;
export declare const declaredUser: z.ZodDiscriminatedUnion<[z.ZodObject<{
    in: z.ZodLiteral<"none">;
}, z.core.$strict>, z.ZodObject<{
    in: z.ZodLiteral<"carriage">;
}, z.core.$strict>, z.ZodObject<{
    in: z.ZodLiteral<"query">;
    name: z.ZodString;
}, z.core.$strict>, z.ZodObject<{
    in: z.ZodLiteral<"header">;
    name: z.ZodString;
}, z.core.$strict>, z.ZodObject<{
    in: z.ZodLiteral<"message">;
    template: z.ZodString;
}, z.core.$strict>], "in">;
export declare const profile: z.ZodObject<{
    carriage: z.ZodDiscriminatedUnion<[z.ZodObject<{
        in: z.ZodLiteral<"header">;
        name: z.ZodString;
        template: z.ZodString;
    }, z.core.$strict>, z.ZodObject<{
        in: z.ZodLiteral<"subprotocol">;
        protocols: z.ZodArray<z.ZodString>;
    }, z.core.$strict>, z.ZodObject<{
        in: z.ZodLiteral<"query">;
        name: z.ZodString;
    }, z.core.$strict>, z.ZodObject<{
        in: z.ZodLiteral<"cookie">;
        name: z.ZodString;
    }, z.core.$strict>, z.ZodObject<{
        in: z.ZodLiteral<"message">;
        template: z.ZodString;
        after: z.ZodDefault<z.ZodUnion<readonly [z.ZodLiteral<"open">, z.ZodObject<{
            frame: z.ZodObject<{
                path: z.ZodString;
                equals: z.ZodUnion<readonly [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodNull]>;
            }, z.core.$strict>;
        }, z.core.$strict>, z.ZodObject<{
            text: z.ZodObject<{
                startsWith: z.ZodString;
            }, z.core.$strict>;
        }, z.core.$strict>]>>;
    }, z.core.$strict>], "in">;
    subprotocols: z.ZodExactOptional<z.ZodArray<z.ZodString>>;
    declaredUser: z.ZodPrefault<z.ZodDiscriminatedUnion<[z.ZodObject<{
        in: z.ZodLiteral<"none">;
    }, z.core.$strict>, z.ZodObject<{
        in: z.ZodLiteral<"carriage">;
    }, z.core.$strict>, z.ZodObject<{
        in: z.ZodLiteral<"query">;
        name: z.ZodString;
    }, z.core.$strict>, z.ZodObject<{
        in: z.ZodLiteral<"header">;
        name: z.ZodString;
    }, z.core.$strict>, z.ZodObject<{
        in: z.ZodLiteral<"message">;
        template: z.ZodString;
    }, z.core.$strict>], "in">>;
    success: z.ZodArray<z.ZodUnion<readonly [z.ZodObject<{
        frame: z.ZodObject<{
            path: z.ZodString;
            equals: z.ZodUnion<readonly [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodNull]>;
        }, z.core.$strict>;
    }, z.core.$strict>, z.ZodObject<{
        text: z.ZodObject<{
            startsWith: z.ZodString;
        }, z.core.$strict>;
    }, z.core.$strict>, z.ZodObject<{
        quietOpenMs: z.ZodPreprocess<z.ZodNumber, unknown>;
    }, z.core.$strict>]>>;
    failure: z.ZodDefault<z.ZodArray<z.ZodUnion<readonly [z.ZodObject<{
        frame: z.ZodObject<{
            path: z.ZodString;
            equals: z.ZodUnion<readonly [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodNull]>;
        }, z.core.$strict>;
    }, z.core.$strict>, z.ZodObject<{
        text: z.ZodObject<{
            startsWith: z.ZodString;
        }, z.core.$strict>;
    }, z.core.$strict>, z.ZodObject<{
        http: z.ZodArray<z.ZodPreprocess<z.ZodNumber, unknown>>;
    }, z.core.$strict>, z.ZodObject<{
        close: z.ZodArray<z.ZodPreprocess<z.ZodNumber, unknown>>;
    }, z.core.$strict>]>>>;
    unauthorized: z.ZodDefault<z.ZodArray<z.ZodUnion<readonly [z.ZodObject<{
        frame: z.ZodObject<{
            path: z.ZodString;
            equals: z.ZodUnion<readonly [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodNull]>;
        }, z.core.$strict>;
    }, z.core.$strict>, z.ZodObject<{
        text: z.ZodObject<{
            startsWith: z.ZodString;
        }, z.core.$strict>;
    }, z.core.$strict>, z.ZodObject<{
        http: z.ZodArray<z.ZodPreprocess<z.ZodNumber, unknown>>;
    }, z.core.$strict>, z.ZodObject<{
        close: z.ZodArray<z.ZodPreprocess<z.ZodNumber, unknown>>;
    }, z.core.$strict>]>>>;
    samples: z.ZodPrefault<z.ZodObject<{
        success: z.ZodExactOptional<z.ZodString>;
        unauthorized: z.ZodExactOptional<z.ZodString>;
    }, z.core.$strict>>;
    timeoutMs: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
    settleMs: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
}, z.core.$strict>;
