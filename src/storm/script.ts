import { countOwnUsers, type StormPlan } from './plan.ts'

/** The name of the processor beside a script: Artillery bundles one in TypeScript, and takes this as it is. */
export const processorFile = 'twotoken-storm.mjs'

/** @param module the package, or the address of the module in it */
export function renderProcessor(module: string): string {
  return `export { stormUser } from '${module}'\n`
}

/** A script for `artillery run`, as JSON. */
export function renderScript(plan: StormPlan): string {
  const script = {
    config: {
      target: 'http://twotoken.invalid',
      phases: [{ duration: plan.rampSeconds, arrivalCount: countOwnUsers(plan) }],
      variables: { plan: [JSON.stringify(plan)] },
      processor: `./${processorFile}`,
    },
    scenarios: [{ name: plan.profile, flow: [{ function: 'stormUser' }] }],
  }
  return `${JSON.stringify(script, null, 2)}\n`
}
