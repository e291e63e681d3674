/** Why a part could not be audited, by rule. */
export const gapRules = {
    encrypted: 'AUD-090',
    corrupt: 'AUD-091',
    unsupported: 'AUD-092',
    limit: 'AUD-093',
    fairplay: 'AUD-094',
    opaque: 'AUD-095',
    fallback: 'AUD-096',
    disagreement: 'AUD-097',
};
