import { expect, test } from 'vitest'
import { describeBreach } from '../requirement/judge.ts'
import { rerunCommand } from './describe-results.ts'
import { findFixPage, listFixed, parseFixPage } from './fix-pages.ts'
import { buildSecretTable } from './run/html/observations.ts'
import { leakingRun } from './testing/leaking-run.ts'

const blocks = { Express: 'js', Fastify: 'js', FastAPI: 'python', Spring: 'java', Rails: 'ruby' }
const sections = Object.entries(blocks).map(
  ([name, language]) => `## ${name}\n\n\`\`\`${language}\n${name}()\n\`\`\`\n`,
)
const page = `# Call the mint\n\nPOST, with the key\nas bearer.\n\nFor BACK-06 and BACK-14.\n\n${sections.join('\n')}`

test('a page gives its title, its text, its requirements and a block for each framework', () => {
  expect(parseFixPage('call.md', page)).toEqual({
    part: 'backend',
    file: 'call.md',
    title: 'Call the mint',
    text: 'POST, with the key as bearer.',
    ids: ['BACK-06', 'BACK-14'],
    code: {
      express: 'Express()\n',
      fastify: 'Fastify()\n',
      fastapi: 'FastAPI()\n',
      spring: 'Spring()\n',
      rails: 'Rails()\n',
    },
  })
})

test('requirements on a backend have code, others may have none', () => {
  expect(findFixPage('BACK-04')?.title).toBe('Take the user from the session')
  expect(findFixPage('SIG-20')?.code).toHaveProperty('ws')
  expect(findFixPage('MINT-04')).toBeNull()
})

const warning = { level: 'SHOULD', verdict: 'warn' } as const
const asked = { saw: 'no response', expected: 'a non-2xx response', fix: 'End the call by a deadline.' }

test('a finding that asks for the change of another requirement leads to its page, and others to their own', () => {
  const hang = describeBreach(warning, { ...asked, fixedAs: 'BACK-22' })
  const status = describeBreach({ level: 'MUST', verdict: 'fail' }, { ...asked, fix: 'Answer 502.' })
  const fixed = (...findings: readonly (typeof hang)[]) => listFixed({ id: 'BACK-07', findings })
  expect(fixed(hang)).toEqual(['BACK-22'])
  expect(fixed(hang, status)).toEqual(['BACK-07', 'BACK-22'])
  expect(fixed()).toEqual(['BACK-07'])
  expect(listFixed({ id: 'MINT-04', findings: [] })).toEqual([])
})

const run = { config: 'mint.yaml', seed: 7 }

test('a requirement is judged again by its seed, and a story told again; a pact without a configuration has no command', () => {
  const explored = { id: 'EXP-41', role: 'mint' } as const
  const story = { role: 'mint', id: 'EXP-41', steps: [] } as never
  expect(rerunCommand({ ...explored, story }, run)).toBe(
    'npx twotoken explore mint --config mint.yaml --replay twotoken-results/explore-mint/story-EXP-41.json',
  )
  expect(rerunCommand(explored, run)).toBe('npx twotoken explore mint --config mint.yaml --seed 7')
  expect(rerunCommand({ id: 'MINT-01', role: 'mint' }, run)).toBe(
    'npx twotoken run --only MINT-01 --config mint.yaml --seed 7',
  )
  expect(rerunCommand({ id: 'PACT-MINT-01', role: 'mint' }, { seed: 7 })).toBeNull()
})

const [known] = leakingRun.checks
const observing = (...observations: Readonly<Record<string, unknown>>[]) => ({
  checks: observations.flatMap((seen) => (known === undefined ? [] : [{ ...known, observations: seen }])),
})

test('puts the secrets into columns and the places into rows, in the order in which they were looked at', () => {
  expect(buildSecretTable(leakingRun)).toEqual({
    secrets: ['sessionToken', 'API key'],
    rows: [
      { place: "the app's request", cells: ['belongs', null] },
      { place: 'a mint request', cells: ['out of place', 'belongs'] },
      { place: "signaling's frames", cells: ['not seen', 'not seen'] },
    ],
  })
})

test('joins what several requirements saw; the worst counts', () => {
  const place = "the app's storage"
  const flow = { 'flow.secretPlaces': { [place]: { 'API key': 'out of place', sessionToken: 'not seen' } } }
  const client = { 'client.secretPlaces': { [place]: { 'API key': 'not seen', sessionToken: 'belongs' } } }
  for (const both of [observing(flow, client), observing(client, flow)])
    expect(buildSecretTable(both)).toEqual({
      secrets: ['API key', 'sessionToken'],
      rows: [{ place, cells: ['out of place', 'belongs'] }],
    })
})

test.each([
  {},
  { 'flow.secretPlaces': { 'a place': 'belongs' } },
  { 'flow.secretPlaces': { 'a place': { 'API key': 'somewhere' } } },
])('what is of another shape makes no table', (observations) => {
  expect(buildSecretTable(observing(observations)).rows).toEqual([])
})
