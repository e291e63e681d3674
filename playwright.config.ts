import { assertOwnCodeCache } from './src/run/code-cache.ts'
import settings, { environment } from './src/run/playwright-settings.ts'

// For Playwright's tools in an editor, against TWOTOKEN_CONFIG, ./twotoken.yaml or the embedded reference. On a machine of
// several users `npm run test:client` is safer: there Playwright never sees a folder of the temporary one.
assertOwnCodeCache(environment)

export default settings
