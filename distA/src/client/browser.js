var __rewriteRelativeImportExtension = (this && this.__rewriteRelativeImportExtension) || function (path, preserveJsx) {
    if (typeof path === "string" && /^\.\.?\//.test(path)) {
        return path.replace(/\.(tsx)$|((?:\.d)?)((?:\.[^./]+?)?)\.([cm]?)ts$/i, function (m, tsx, d, ext, cm) {
            return tsx ? preserveJsx ? ".jsx" : ".js" : d && (!ext || !cm) ? m : (d + ext + "." + cm.toLowerCase() + "js");
        });
    }
    return path;
};
import { createHash, X509Certificate } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { Untested } from '../check/judge.js';
import { createAuthority } from '../tls/certificates.js';
import { identitiesOf, startProxy } from './proxy.js';
const systemBrowsers = [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/microsoft-edge',
    '/snap/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
/** Nothing of the browser's own may leave the machine, and nothing of it stand in the evidence. */
const quietly = [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-domain-reliability',
    '--disable-sync',
    '--disable-quic',
    '--no-pings',
    '--disable-features=AutofillServerCommunication,Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
];
export function createBrowserSource(choice) {
    const authority = createAuthority();
    const identities = identitiesOf(authority);
    let launched;
    return {
        async context(counterpart) {
            launched ??= launch(choice, pinOf(authority.certificate));
            const { browser, name } = await launched;
            const proxy = await startProxy(identities, counterpart);
            const context = await browser
                .newContext({ proxy: { server: proxy.address, bypass: '<-loopback>' } })
                .catch(async (error) => {
                await proxy[Symbol.asyncDispose]();
                throw error;
            });
            return {
                context,
                browser: name,
                async [Symbol.asyncDispose]() {
                    await context.close().catch(() => undefined);
                    await proxy[Symbol.asyncDispose]();
                },
            };
        },
        async [Symbol.asyncDispose]() {
            const running = await launched?.catch(() => null);
            await running?.browser.close();
        },
    };
}
/** The hash by which the browser knows the throwaway authority: it stands in every chain that the proxy shows. */
function pinOf(certificate) {
    const { publicKey } = new X509Certificate(certificate);
    return createHash('sha256')
        .update(publicKey.export({ type: 'spki', format: 'der' }))
        .digest('base64');
}
/** The user's setting and nothing else, or Playwright's own, else one of the system, else the one of an npm package. */
async function* candidates(wanted) {
    if (wanted !== undefined)
        return yield { path: wanted, args: [] };
    yield { args: [] };
    for (const path of systemBrowsers)
        if (await isExecutable(path))
            yield { path, args: [] };
    const shipped = await shippedByPackage();
    if (shipped !== null)
        yield shipped;
}
async function launch({ path: wanted }, pin) {
    const { chromium } = await import('@playwright/test');
    const failures = [];
    // Only root cannot have the sandbox.
    const asRoot = process.platform === 'linux' && userInfo().uid === 0;
    for await (const { path, args } of candidates(wanted)) {
        try {
            const browser = await chromium.launch({
                ...(path === undefined ? {} : { executablePath: path }),
                chromiumSandbox: !asRoot,
                args: [...quietly, ...args, `--ignore-certificate-errors-spki-list=${pin}`],
                handleSIGINT: false,
                handleSIGTERM: false,
                handleSIGHUP: false,
            });
            return { browser, name: `Chromium ${browser.version()} (${path ?? "Playwright's own"})` };
        }
        catch (error) {
            const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
            if (path !== undefined)
                failures.push(`${path} does not start: ${why}`);
        }
    }
    const seen = failures.length === 0 ? '' : ` (${failures.join('; ')})`;
    throw new Untested(wanted === undefined
        ? `needs a browser: run "npx playwright install chromium", install Chromium or Chrome, or name one in client.browser${seen}`
        : `client.browser ${wanted} does not start${seen}: correct it, or leave it out`);
}
async function isExecutable(path) {
    return await access(path, constants.X_OK).then(() => true, () => false);
}
/** `@sparticuz/chromium`, where somebody has installed it. */
async function shippedByPackage() {
    const name = '@sparticuz/chromium';
    try {
        const shipped = await import(__rewriteRelativeImportExtension(name));
        // Of its arguments only what it cannot run without: others switch off what a page relies on.
        return { path: await shipped.default.executablePath(), args: ['--no-zygote'] };
    }
    catch {
        return null;
    }
}
