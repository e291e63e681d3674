/**
 * The configuration as the rest of the code sees it: parsed, every `${NAME}` and `{ command }` resolved, every
 * path absolute, every default filled in. `schema.ts` produces it from `twotoken.yaml`.
 */
export interface Configuration {
    readonly name: string;
    /** Absolute folder of the configuration file (the working directory without one): relative paths start here. */
    readonly directory: string;
    readonly mint?: MintConfiguration;
    readonly backend?: BackendConfiguration;
    readonly signaling?: SignalingConfiguration;
    readonly token: TokenConfiguration;
    readonly client?: ClientConfiguration;
    readonly bundle?: BundleConfiguration;
    readonly start?: StartConfiguration;
    readonly absent: readonly AbsentPart[];
    readonly limits: Limits;
    readonly tls: {
        readonly ca?: string;
    };
    readonly waivers: readonly Waiver[];
    /** Where to read what was said between parts that the suite has brought up itself; no file says it. */
    readonly tapRecords?: string;
}
export interface MintConfiguration {
    /** `{base_url}` without a trailing slash; the suite appends the mint path. */
    readonly url: string;
    readonly apiKey: string;
    readonly otherProjectKey?: string;
    readonly keys: {
        readonly trialEnded?: StateKey;
        readonly suspended?: StateKey;
        readonly capped?: StateKey;
    };
    /** The shortest lifetime in seconds that the service grants. */
    readonly minTtlSeconds: number;
}
/** A key whose account is in a state that cannot be provoked from outside. */
export interface StateKey {
    readonly key: string;
    /** The operator vouches for the state: a token issued is then a violation, not a wrong precondition. */
    readonly attested: boolean;
}
export interface BackendConfiguration {
    readonly url: string;
    readonly method: 'POST' | 'GET';
    readonly sessions: {
        readonly alice?: UserSession;
        readonly aliceSecondDevice?: UserSession;
        readonly bob?: UserSession;
        readonly expired?: {
            readonly token: string;
        };
        readonly signedOut?: {
            readonly token: string;
        };
    };
    readonly fakeMint?: FakeMintConfiguration;
}
export interface UserSession {
    readonly token: string;
    readonly userId: string;
}
/** Where the suite's mint double listens, and the key that the backend under test was given. */
export interface FakeMintConfiguration {
    readonly host: string;
    readonly port: number;
    readonly tls: boolean;
    readonly apiKey: string;
}
export interface SignalingConfiguration {
    readonly url: string;
    readonly allowInsecureTransport: boolean;
    /** Absent: nothing says how to tell success from failure. */
    readonly access?: {
        readonly profile: SignalingProfile;
    } | {
        readonly adapter: string;
    };
}
/** How a signaling service does what the specification leaves open. */
export interface SignalingProfile {
    readonly carriage: Carriage;
    /** Offered in every attempt, before those of the carriage. */
    readonly subprotocols?: readonly string[];
    readonly declaredUser: DeclaredUser;
    readonly success: readonly SuccessSign[];
    readonly failure: readonly FailureSign[];
    readonly unauthorized: readonly FailureSign[];
    readonly samples: {
        readonly success?: string;
        readonly unauthorized?: string;
    };
    readonly timeoutMs: number;
    readonly settleMs: number;
}
export type Carriage = {
    readonly in: 'header';
    readonly name: string;
    readonly template: string;
} | {
    readonly in: 'subprotocol';
    readonly protocols: readonly string[];
} | {
    readonly in: 'query';
    readonly name: string;
} | {
    readonly in: 'cookie';
    readonly name: string;
} | {
    readonly in: 'message';
    readonly template: string;
    readonly after: 'open' | MessageSign;
};
export type DeclaredUser = {
    readonly in: 'none';
} | {
    readonly in: 'carriage';
} | {
    readonly in: 'query';
    readonly name: string;
} | {
    readonly in: 'header';
    readonly name: string;
} | {
    readonly in: 'message';
    readonly template: string;
};
export type SuccessSign = MessageSign | {
    readonly quietOpenMs: number;
};
export type FailureSign = MessageSign | {
    readonly http: readonly number[];
} | {
    readonly close: readonly number[];
};
export type MessageSign = FrameSign | TextSign;
/** A frame that begins with this text: for protocols that do not speak JSON. */
export interface TextSign {
    readonly text: {
        readonly startsWith: string;
    };
}
/** A frame whose JSON has, at `path` (RFC 9535), a value equal in type and value to `equals`. */
export interface FrameSign {
    readonly frame: {
        readonly path: string;
        readonly equals: string | number | boolean | null;
    };
}
export interface TokenConfiguration {
    /** A JSONPath into the mint's body, or `auto`. */
    readonly field: string;
    /** A claim's literal name, a JSONPath when it begins with `$`, or `auto`. */
    readonly userIdClaim: string;
    /** An http(s) URL, or an absolute file path. */
    readonly jwks?: string;
    readonly signWith?: {
        readonly alg: string;
        readonly privateKey: string;
    } | {
        readonly alg: string;
        readonly secret: string;
    };
}
/** A page with its driver, a program with its command, or a device that is observed: one of them at least. */
export interface ClientConfiguration {
    readonly url?: string;
    /** Absolute path of the module that operates the page. */
    readonly driver?: string;
    /** A shell command, run in the configuration's folder, that speaks the line protocol. */
    readonly command?: string;
    /** Doubles of a program or a device speak https and wss, with the suite's throwaway CA. */
    readonly tls: boolean;
    /** Where the doubles listen for a device that is observed. */
    readonly observe?: {
        readonly host: string;
        readonly port: number;
    };
    /** Hosts of the customer besides those of the page and the token route; `*` stands for a part of a name. */
    readonly ownHosts: readonly string[];
    /** Absolute path of the browser to use. */
    readonly browser?: string;
    readonly users: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly backendUrl?: string;
    readonly signalingUrl?: string;
}
export interface BundleConfiguration {
    readonly paths: readonly string[];
    readonly mintHost?: string;
    readonly key?: {
        readonly prefix?: string;
        /** Characters after the prefix. */
        readonly minLength?: number;
    };
}
/** How the suite brings the implementation up itself. */
export type StartConfiguration = {
    readonly readyTimeoutSeconds: number;
} & ({
    readonly compose: string;
} | {
    readonly command: string;
} | {
    readonly containers: StartContainers;
});
/** Images by the part that they take; a part that is not named stays the reference. */
type StartContainers = Readonly<Partial<Record<'mint' | 'backend' | 'signaling', StartContainer>>>;
export interface StartContainer {
    readonly image: string;
    /** The port that it listens on inside the container. */
    readonly port: number;
    readonly env: Readonly<Record<string, string>>;
    /** A path on that port that answers 2xx once it is ready. */
    readonly health?: string;
}
/** What an implementation may declare that it does not have. */
export declare const absentParts: readonly ['trial', 'mintCap', 'suspension', 'secondProject', 'jwks', 'expiredSession', 'secondDevice', 'switchableMint', 'testKey'];
export type AbsentName = (typeof absentParts)[number];
export interface AbsentPart {
    readonly what: AbsentName;
    readonly reason: string;
}
export interface Limits {
    readonly requestSeconds: number;
    readonly bodyBytes: number;
    readonly backendAnswerSeconds: number;
    readonly maxTtlWaitSeconds: number;
    readonly clientSettleSeconds: number;
    readonly reconnectSeconds: number;
    readonly leewayWarnSeconds: number;
    readonly leewayFailSeconds: number;
    /** Calling tokens that a run may have issued; absent: as many as it takes. */
    readonly maxMints?: number;
}
export interface Waiver {
    readonly id: string;
    readonly reason: string;
    readonly issue?: string;
    /** ISO date. */
    readonly expires?: string;
}
export declare const defaultLimits: Limits;
export {};
