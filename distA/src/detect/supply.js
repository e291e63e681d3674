import { randomBytes } from 'node:crypto';
/** A lockout after a few failures must not meet the trial that counts. */
const trialsPerLoan = 3;
export function createSupply({ mintFor, newUser, redactor, budget, }) {
    let loan;
    let lent = 0;
    let shape = 'x'.repeat(240);
    const fresh = async () => {
        budget.mint();
        const { jwt, userId } = await mintFor();
        redactor.register('calling-jwt', jwt);
        shape = jwt;
        return { jwt, userId };
    };
    return {
        fresh,
        lent() {
            if (loan === undefined || lent % trialsPerLoan === 0)
                loan = fresh();
            lent += 1;
            return loan;
        },
        garbage: () => ({ jwt: scrambled(shape), userId: newUser() }),
        async tampered() {
            const { jwt, userId } = await fresh();
            const damaged = withDamage(jwt);
            redactor.register('forged-jwt', damaged);
            return { jwt: damaged, userId };
        },
    };
}
function scrambled(shape) {
    const random = randomBytes(shape.length).toString('base64url');
    return [...shape].map((letter, at) => (letter === '.' ? '.' : (random[at] ?? 'x'))).join('');
}
/** One character in the middle of the last part is another: never the last one, of which some bits are padding. */
function withDamage(jwt) {
    const start = jwt.lastIndexOf('.') + 1;
    const at = start + Math.floor((jwt.length - start) / 2);
    return `${jwt.slice(0, at)}${jwt[at] === 'A' ? 'B' : 'A'}${jwt.slice(at + 1)}`;
}
