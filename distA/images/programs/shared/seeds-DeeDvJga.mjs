import { randomBytes } from "node:crypto";
// dist/fixtures/backend/seeds.js
/** The users that a backend starts with; nobody knows their passwords beforehand. */
function demoUsers() {
	const password = () => randomBytes(12).toString("base64url");
	return [{
		name: "alice",
		password: password(),
		userId: "u-Alice",
		displayName: "Alice"
	}, {
		name: "bob",
		password: password(),
		userId: "u-Bob",
		displayName: "Bob"
	}];
}
async function seedSessions(login, users, records, given = {}) {
	const [alice, bob] = users;
	if (alice === void 0 || bob === void 0) throw new TypeError("a backend needs two users");
	const signIn = async ({ name, password }, lifetimeSeconds) => {
		const signedIn = await login.signIn(name, password, lifetimeSeconds);
		if (signedIn === null) throw new TypeError(`two users are called ${name}`);
		return signedIn;
	};
	const handed = ({ sessionToken, session, user }, fixed) => {
		if (fixed !== void 0) records.byToken.set(fixed, session);
		return {
			token: fixed ?? sessionToken,
			userId: user.userId
		};
	};
	const signedOut = await signIn(alice);
	login.signOut(signedOut.session);
	return {
		alice: handed(await signIn(alice), given.alice),
		aliceSecondDevice: handed(await signIn(alice), given.aliceSecondDevice),
		bob: handed(await signIn(bob), given.bob),
		expired: handed(await signIn(alice, -60), given.expired),
		signedOut: handed(signedOut, given.signedOut)
	};
}
export { seedSessions as n, demoUsers as t };
