/** `npx playwright test`: the client's checks, against TWOTOKEN_CONFIG, ./twotoken.yaml or the embedded reference. */
export { default } from './src/run/playwright-settings.ts'
