import { expect, test } from 'vitest'
import { buildSecretTable } from './secret-places.ts'
import { frozenRun } from './testing/frozen-run.ts'
import { leakingRun } from './testing/leaking-run.ts'

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
  const flow = {
    'flow.secretPlaces': { "the app's storage": { 'API key': 'out of place', sessionToken: 'not seen' } },
  }
  const client = {
    'client.secretPlaces': { "the app's storage": { 'API key': 'not seen', sessionToken: 'belongs' } },
  }
  for (const both of [observing(flow, client), observing(client, flow)])
    expect(buildSecretTable(both)).toEqual({
      secrets: ['API key', 'sessionToken'],
      rows: [{ place: "the app's storage", cells: ['out of place', 'belongs'] }],
    })
})

test.each([
  ['nothing', {}],
  ['something of another shape', { 'flow.secretPlaces': { 'a place': 'belongs' } }],
  ['an unknown word', { 'flow.secretPlaces': { 'a place': { 'API key': 'somewhere' } } }],
])('%s makes no table', (_, observations) => {
  expect(buildSecretTable(observing(observations)).rows).toEqual([])
  expect(buildSecretTable(frozenRun).rows).toEqual([])
})
