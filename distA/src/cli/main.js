#!/usr/bin/env node
import { version } from '../version.js';
// Answered before anything is loaded: editors and scripts ask for it often.
if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
    process.stdout.write(`${version}\n`);
}
else {
    await import('../async-disposable-stack.js');
    const { main } = await import('./commands.js');
    process.exitCode = await main(process.argv.slice(2));
    // Whoever interrupts does not wait for what is still open.
    if (process.exitCode === 130)
        process.exit();
}
