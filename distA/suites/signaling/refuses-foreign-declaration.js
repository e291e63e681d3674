var __addDisposableResource = (this && this.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (this && this.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
import { defineCheck } from '../../src/check/check.js';
import { ControlLost } from '../../src/check/judge.js';
import { mustRefuse } from './attack.js';
export default defineCheck({
    id: 'SIG-05',
    role: 'signaling',
    level: 'MUST',
    clauses: ['2.1.3', '5.4'],
    title: 'refuses a client that declares another userId than its token holds',
    why: 'Whoever could name somebody else beside a valid token of their own would take that person’s calls.',
    how: 'Clients offer their own valid tokens and state the id of another user who is online, of one whom nobody knows, ' +
        'and their own id in capitals, cut short and prolonged. Each must be refused, between two controls that state the ' +
        'id of their token. Where the protocol has no place for a declaration nothing is judged.',
    mints: 9,
    needs: ['callingTokens', 'signaling'],
    async run({ callingTokens, signaling, newUser }, judge) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            if (!signaling.declaresUser) {
                judge.onlyObserved('the protocol lets no client declare a userId');
                judge.observe('signaling.declaresUser', false);
                await signaling.control();
                return;
            }
            judge.observe('signaling.declaresUser', true);
            const other = await callingTokens.fresh();
            const online = await signaling.hold({ token: other.jwt, declaredUser: other.userId });
            if (online.outcome !== 'accepted')
                throw new ControlLost(`signaling ${online.summary}, offered a fresh calling token`, [online.exchange]);
            const _ = __addDisposableResource(env_1, online.socket, true);
            const declarations = [
                ['another user, who is online,', () => other.userId],
                ['a user whom nobody knows', () => newUser()],
                ["the token's user in capitals", (own) => own.toUpperCase()],
                ["the beginning of the token's userId", (own) => own.slice(0, -1)],
                ["the token's userId and one more letter", (own) => `${own}x`],
            ];
            const attacks = await Promise.all(declarations.map(async ([who, declare]) => {
                const { jwt, userId: own } = await callingTokens.fresh();
                return { what: `a valid token with ${who} declared`, token: jwt, userId: declare(own), own };
            }));
            const differing = attacks.filter(({ userId, own }) => userId !== own);
            await judge.sandwich(signaling.control, () => mustRefuse(differing, signaling, judge));
        }
        catch (e_1) {
            env_1.error = e_1;
            env_1.hasError = true;
        }
        finally {
            const result_1 = __disposeResources(env_1);
            if (result_1)
                await result_1;
        }
    },
    catches: {
        'trusts the declaration': { signaling: { joinsAs: (user, declared) => declared ?? user } },
        'does not look at the declaration': { signaling: { joinsAs: (user) => user } },
        'takes capitals for the same': {
            signaling: {
                joinsAs: (user, declared) => (declared?.toLowerCase() === user.toLowerCase() ? declared : null),
            },
        },
        'compares as far as the declaration goes': {
            signaling: { joinsAs: (user, declared) => (user.startsWith(declared ?? '') ? user : null) },
        },
        'compares as far as the token goes': {
            signaling: { joinsAs: (user, declared) => (declared?.startsWith(user) ? user : null) },
        },
        'trusts the declaration in a header': {
            signaling: {
                declaredUser: { in: 'header', name: 'X-Calling-User' },
                joinsAs: (user, declared) => declared ?? user,
            },
        },
        'trusts the declaration beside the token in a message': {
            signaling: {
                carriage: { in: 'message', template: '{"token":"{jwt}","as":"{userId}"}', after: 'open' },
                declaredUser: { in: 'carriage' },
                joinsAs: (user, declared) => declared ?? user,
            },
        },
        'trusts the declaration in a message of its own': {
            signaling: {
                declaredUser: { in: 'message', template: '{"type":"hello","as":"{userId}"}' },
                joinsAs: (user, declared) => declared ?? user,
            },
        },
    },
});
