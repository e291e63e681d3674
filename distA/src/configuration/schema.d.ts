import { z } from 'zod';
export declare const writtenSchema: z.ZodObject<{
    name: z.ZodExactOptional<z.ZodString>;
    mint: z.ZodExactOptional<z.ZodObject<{
        url: z.ZodString;
        apiKey: z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
            command: z.ZodString;
        }, z.core.$strict>]>;
        otherProjectKey: z.ZodExactOptional<z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
            command: z.ZodString;
        }, z.core.$strict>]>>;
        keys: z.ZodPrefault<z.ZodObject<{
            trialEnded: z.ZodExactOptional<z.ZodUnion<readonly [z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
                command: z.ZodString;
            }, z.core.$strict>]>, z.ZodObject<{
                key: z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
                    command: z.ZodString;
                }, z.core.$strict>]>;
                attested: z.ZodDefault<z.ZodPreprocess<z.ZodBoolean, unknown>>;
            }, z.core.$strict>]>>;
            suspended: z.ZodExactOptional<z.ZodUnion<readonly [z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
                command: z.ZodString;
            }, z.core.$strict>]>, z.ZodObject<{
                key: z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
                    command: z.ZodString;
                }, z.core.$strict>]>;
                attested: z.ZodDefault<z.ZodPreprocess<z.ZodBoolean, unknown>>;
            }, z.core.$strict>]>>;
            capped: z.ZodExactOptional<z.ZodUnion<readonly [z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
                command: z.ZodString;
            }, z.core.$strict>]>, z.ZodObject<{
                key: z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
                    command: z.ZodString;
                }, z.core.$strict>]>;
                attested: z.ZodDefault<z.ZodPreprocess<z.ZodBoolean, unknown>>;
            }, z.core.$strict>]>>;
        }, z.core.$strict>>;
        minTtlSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
    }, z.core.$strict>>;
    backend: z.ZodExactOptional<z.ZodObject<{
        url: z.ZodString;
        method: z.ZodDefault<z.ZodEnum<{
            GET: "GET";
            POST: "POST";
        }>>;
        sessions: z.ZodPrefault<z.ZodObject<{
            alice: z.ZodExactOptional<z.ZodObject<{
                token: z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
                    command: z.ZodString;
                }, z.core.$strict>]>;
                userId: z.ZodString;
            }, z.core.$strict>>;
            aliceSecondDevice: z.ZodExactOptional<z.ZodObject<{
                token: z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
                    command: z.ZodString;
                }, z.core.$strict>]>;
                userId: z.ZodString;
            }, z.core.$strict>>;
            bob: z.ZodExactOptional<z.ZodObject<{
                token: z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
                    command: z.ZodString;
                }, z.core.$strict>]>;
                userId: z.ZodString;
            }, z.core.$strict>>;
            expired: z.ZodExactOptional<z.ZodObject<{
                token: z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
                    command: z.ZodString;
                }, z.core.$strict>]>;
            }, z.core.$strict>>;
            signedOut: z.ZodExactOptional<z.ZodObject<{
                token: z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
                    command: z.ZodString;
                }, z.core.$strict>]>;
            }, z.core.$strict>>;
        }, z.core.$strict>>;
        fakeMint: z.ZodExactOptional<z.ZodObject<{
            listen: z.ZodString;
            apiKey: z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
                command: z.ZodString;
            }, z.core.$strict>]>;
            tls: z.ZodDefault<z.ZodPreprocess<z.ZodBoolean, unknown>>;
        }, z.core.$strict>>;
    }, z.core.$strict>>;
    signaling: z.ZodExactOptional<z.ZodObject<{
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
    }, z.core.$strict>>;
    token: z.ZodPrefault<z.ZodObject<{
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
            secret: z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
                command: z.ZodString;
            }, z.core.$strict>]>;
        }, z.core.$strict>]>>;
    }, z.core.$strict>>;
    client: z.ZodExactOptional<z.ZodObject<{
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
    }, z.core.$strict>>;
    bundle: z.ZodExactOptional<z.ZodObject<{
        paths: z.ZodArray<z.ZodString>;
        mintHost: z.ZodExactOptional<z.ZodString>;
        key: z.ZodExactOptional<z.ZodObject<{
            prefix: z.ZodExactOptional<z.ZodString>;
            minLength: z.ZodExactOptional<z.ZodPreprocess<z.ZodNumber, unknown>>;
        }, z.core.$strict>>;
    }, z.core.$strict>>;
    start: z.ZodExactOptional<z.ZodObject<{
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
    }, z.core.$strict>>;
    absent: z.ZodDefault<z.ZodArray<z.ZodObject<{
        what: z.ZodEnum<{
            expiredSession: "expiredSession";
            jwks: "jwks";
            mintCap: "mintCap";
            secondDevice: "secondDevice";
            secondProject: "secondProject";
            suspension: "suspension";
            switchableMint: "switchableMint";
            testKey: "testKey";
            trial: "trial";
        }>;
        reason: z.ZodString;
    }, z.core.$strict>>>;
    limits: z.ZodPrefault<z.ZodObject<{
        requestSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
        bodyBytes: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
        backendAnswerSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
        maxTtlWaitSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
        clientSettleSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
        reconnectSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
        leewayWarnSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
        leewayFailSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
        maxMints: z.ZodExactOptional<z.ZodPreprocess<z.ZodNumber, unknown>>;
    }, z.core.$strict>>;
    tls: z.ZodPrefault<z.ZodObject<{
        ca: z.ZodExactOptional<z.ZodString>;
    }, z.core.$strict>>;
    waivers: z.ZodDefault<z.ZodArray<z.ZodObject<{
        id: z.ZodString;
        reason: z.ZodString;
        issue: z.ZodExactOptional<z.ZodString>;
        expires: z.ZodExactOptional<z.ZodISODate>;
    }, z.core.$strict>>>;
}, z.core.$strict>;
export declare const resolvedSchema: z.ZodObject<{
    name: z.ZodExactOptional<z.ZodString>;
    mint: z.ZodExactOptional<z.ZodObject<{
        url: z.ZodString;
        apiKey: z.ZodString;
        otherProjectKey: z.ZodExactOptional<z.ZodString>;
        keys: z.ZodPrefault<z.ZodObject<{
            trialEnded: z.ZodExactOptional<z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
                key: z.ZodString;
                attested: z.ZodDefault<z.ZodPreprocess<z.ZodBoolean, unknown>>;
            }, z.core.$strict>]>>;
            suspended: z.ZodExactOptional<z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
                key: z.ZodString;
                attested: z.ZodDefault<z.ZodPreprocess<z.ZodBoolean, unknown>>;
            }, z.core.$strict>]>>;
            capped: z.ZodExactOptional<z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
                key: z.ZodString;
                attested: z.ZodDefault<z.ZodPreprocess<z.ZodBoolean, unknown>>;
            }, z.core.$strict>]>>;
        }, z.core.$strict>>;
        minTtlSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
    }, z.core.$strict>>;
    backend: z.ZodExactOptional<z.ZodObject<{
        url: z.ZodString;
        method: z.ZodDefault<z.ZodEnum<{
            GET: "GET";
            POST: "POST";
        }>>;
        sessions: z.ZodPrefault<z.ZodObject<{
            alice: z.ZodExactOptional<z.ZodObject<{
                token: z.ZodString;
                userId: z.ZodString;
            }, z.core.$strict>>;
            aliceSecondDevice: z.ZodExactOptional<z.ZodObject<{
                token: z.ZodString;
                userId: z.ZodString;
            }, z.core.$strict>>;
            bob: z.ZodExactOptional<z.ZodObject<{
                token: z.ZodString;
                userId: z.ZodString;
            }, z.core.$strict>>;
            expired: z.ZodExactOptional<z.ZodObject<{
                token: z.ZodString;
            }, z.core.$strict>>;
            signedOut: z.ZodExactOptional<z.ZodObject<{
                token: z.ZodString;
            }, z.core.$strict>>;
        }, z.core.$strict>>;
        fakeMint: z.ZodExactOptional<z.ZodObject<{
            listen: z.ZodString;
            apiKey: z.ZodString;
            tls: z.ZodDefault<z.ZodPreprocess<z.ZodBoolean, unknown>>;
        }, z.core.$strict>>;
    }, z.core.$strict>>;
    signaling: z.ZodExactOptional<z.ZodObject<{
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
    }, z.core.$strict>>;
    token: z.ZodPrefault<z.ZodObject<{
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
            secret: z.ZodString;
        }, z.core.$strict>]>>;
    }, z.core.$strict>>;
    client: z.ZodExactOptional<z.ZodObject<{
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
    }, z.core.$strict>>;
    bundle: z.ZodExactOptional<z.ZodObject<{
        paths: z.ZodArray<z.ZodString>;
        mintHost: z.ZodExactOptional<z.ZodString>;
        key: z.ZodExactOptional<z.ZodObject<{
            prefix: z.ZodExactOptional<z.ZodString>;
            minLength: z.ZodExactOptional<z.ZodPreprocess<z.ZodNumber, unknown>>;
        }, z.core.$strict>>;
    }, z.core.$strict>>;
    start: z.ZodExactOptional<z.ZodObject<{
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
    }, z.core.$strict>>;
    absent: z.ZodDefault<z.ZodArray<z.ZodObject<{
        what: z.ZodEnum<{
            expiredSession: "expiredSession";
            jwks: "jwks";
            mintCap: "mintCap";
            secondDevice: "secondDevice";
            secondProject: "secondProject";
            suspension: "suspension";
            switchableMint: "switchableMint";
            testKey: "testKey";
            trial: "trial";
        }>;
        reason: z.ZodString;
    }, z.core.$strict>>>;
    limits: z.ZodPrefault<z.ZodObject<{
        requestSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
        bodyBytes: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
        backendAnswerSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
        maxTtlWaitSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
        clientSettleSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
        reconnectSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
        leewayWarnSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
        leewayFailSeconds: z.ZodDefault<z.ZodPreprocess<z.ZodNumber, unknown>>;
        maxMints: z.ZodExactOptional<z.ZodPreprocess<z.ZodNumber, unknown>>;
    }, z.core.$strict>>;
    tls: z.ZodPrefault<z.ZodObject<{
        ca: z.ZodExactOptional<z.ZodString>;
    }, z.core.$strict>>;
    waivers: z.ZodDefault<z.ZodArray<z.ZodObject<{
        id: z.ZodString;
        reason: z.ZodString;
        issue: z.ZodExactOptional<z.ZodString>;
        expires: z.ZodExactOptional<z.ZodISODate>;
    }, z.core.$strict>>>;
}, z.core.$strict>;
export type ResolvedFile = z.output<typeof resolvedSchema>;
