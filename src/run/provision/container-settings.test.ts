import { expect, test } from 'vitest'
import { fillEnvironment } from './container-settings.ts'

const placeholders = {
  mintUrl: 'http://mint',
  apiKey: 'the key',
  jwksUrl: 'http://mint/keys',
  mintKeys: '{}',
  sessions: '{"alice":"s"}',
}

test('the configuration wins over what is given, and asks for it under names of its own', () => {
  const wanted = { PORT: '81', CALLING: '{mintUrl}/v1 with {apiKey}', JSON: '{"a":{}, "b": {mine}}' }
  expect(fillEnvironment({ PORT: '80', MINT_URL: 'http://mint' }, wanted, placeholders)).toEqual({
    PORT: '81',
    MINT_URL: 'http://mint',
    CALLING: 'http://mint/v1 with the key',
    JSON: '{"a":{}, "b": {mine}}',
  })
})

test('does not expand placeholders inside a filled-in value', () => {
  expect(fillEnvironment({}, { KEYS: '{mintKeys}' }, { ...placeholders, mintKeys: '{apiKey}' })).toEqual({
    KEYS: '{apiKey}',
  })
})
