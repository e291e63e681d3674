/** What an implementation may declare that it does not have. */
export const absentParts = [
    'trial',
    'mintCap',
    'suspension',
    'secondProject',
    'jwks',
    'expiredSession',
    'secondDevice',
    'switchableMint',
    'testKey',
];
export const defaultLimits = {
    requestSeconds: 10,
    bodyBytes: 1_048_576,
    backendAnswerSeconds: 15,
    maxTtlWaitSeconds: 90,
    clientSettleSeconds: 15,
    reconnectSeconds: 60,
    leewayWarnSeconds: 60,
    leewayFailSeconds: 300,
};
