import { z } from 'zod';
export declare function mint<Credential extends z.ZodType>(credential: Credential): z.ZodObject<{
    url: z.ZodString;
    apiKey: Credential;
    otherProjectKey: z.ZodExactOptional<Credential>;
    keys: z.ZodPrefault<z.ZodObject<{
        trialEnded: z.ZodExactOptional<z.ZodUnion<readonly [Credential, z.ZodObject<{
            key: Credential;
            attested: z.ZodDefault<z.ZodPreprocess<z.ZodBoolean, unknown>>;
        }, z.core.$strict>]>>;
        suspended: z.ZodExactOptional<z.ZodUnion<readonly [Credential, z.ZodObject<{
            key: Credential;
            attested: z.ZodDefault<z.ZodPreprocess<z.ZodBoolean, unknown>>;
        }, z.core.$strict>]>>;
        capped: z.ZodExactOptional<z.ZodUnion<readonly [Credential, z.ZodObject<{
            key: Credential;
            attested: z.ZodDefault<z.ZodPreprocess<z.ZodBoolean, unknown>>;
        }, z.core.$strict>]>>;
    }, z.core.$strict>>;
    minTtlSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
}, z.core.$strict>;
export declare function backend<Credential extends z.ZodType>(credential: Credential): z.ZodObject<{
    url: z.ZodString;
    method: z.ZodDefault<z.ZodEnum<{
        GET: "GET";
        POST: "POST";
    }>>;
    sessions: z.ZodPrefault<z.ZodObject<{
        alice: z.ZodExactOptional<z.ZodObject<{
            token: Credential;
            userId: z.ZodString;
        }, z.core.$strict>>;
        aliceSecondDevice: z.ZodExactOptional<z.ZodObject<{
            token: Credential;
            userId: z.ZodString;
        }, z.core.$strict>>;
        bob: z.ZodExactOptional<z.ZodObject<{
            token: Credential;
            userId: z.ZodString;
        }, z.core.$strict>>;
        expired: z.ZodExactOptional<z.ZodObject<{
            token: Credential;
        }, z.core.$strict>>;
        signedOut: z.ZodExactOptional<z.ZodObject<{
            token: Credential;
        }, z.core.$strict>>;
    }, z.core.$strict>>;
    fakeMint: z.ZodExactOptional<z.ZodObject<{
        listen: z.ZodString;
        apiKey: Credential;
        tls: z.ZodDefault<z.ZodPreprocess<z.ZodBoolean, unknown>>;
    }, z.core.$strict>>;
}, z.core.$strict>;
export declare const signaling: z.ZodObject<{
    url: z.ZodString;
    allowInsecureTransport: z.ZodDefault<z.ZodPreprocess<z.ZodBoolean, unknown>>;
    profile: z.ZodExactOptional<z.ZodObject<{
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
    }, z.core.$strict>>;
    adapter: z.ZodExactOptional<z.ZodString>;
}, z.core.$strict>;
export declare function tokens<Credential extends z.ZodType>(credential: Credential): z.ZodObject<{
    field: z.ZodDefault<z.ZodString>;
    userIdClaim: z.ZodDefault<z.ZodString>;
    jwks: z.ZodExactOptional<z.ZodString>;
    signWith: z.ZodExactOptional<z.ZodUnion<readonly [z.ZodObject<{
        alg: z.ZodEnum<{
            ES256: "ES256";
            ES384: "ES384";
            ES512: "ES512";
            Ed25519: "Ed25519";
            EdDSA: "EdDSA";
            PS256: "PS256";
            PS384: "PS384";
            PS512: "PS512";
            RS256: "RS256";
            RS384: "RS384";
            RS512: "RS512";
        }>;
        privateKey: z.ZodString;
    }, z.core.$strict>, z.ZodObject<{
        alg: z.ZodEnum<{
            HS256: "HS256";
            HS384: "HS384";
            HS512: "HS512";
        }>;
        secret: Credential;
    }, z.core.$strict>]>>;
}, z.core.$strict>;
