// Prints a session for a user, with negative seconds an expired one: node sign-in.mjs USER_ID [SECONDS]
import { createSession } from './sessions.mjs'

const [userId, seconds] = process.argv.slice(2)
console.log(createSession(userId, seconds === undefined ? undefined : Number(seconds)))
