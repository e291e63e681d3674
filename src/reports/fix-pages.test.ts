import { expect, test } from 'vitest'
import { describeBreach } from '../requirement/judge.ts'
import { findFixPage, listFixed, parseFixPage } from './fix-pages.ts'

const section = (name: string, language: string) => `## ${name}\n\n\`\`\`${language}\n${name}()\n\`\`\`\n`
const sections = [
  section('Express', 'js'),
  section('Fastify', 'js'),
  section('FastAPI', 'python'),
  section('Spring', 'java'),
  section('Rails', 'ruby'),
]
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

test.each([
  [
    'without a section',
    page.replace('## Spring', '## Quarkus'),
    'one section "## Spring" with one block of java',
  ],
  ['with two blocks', page.replace('## Rails\n', '## Rails\n\n```ruby\nx\n```\n'), 'one section "## Rails"'],
  ['in another language', page.replace('```python', '```js'), 'one block of python'],
  ['without its requirements', page.replace('For BACK', 'BACK'), 'a line "For BACK-01'],
])('a page %s is named', (_, text, message) => {
  expect(() => parseFixPage('call.md', text)).toThrow(message)
  expect(() => parseFixPage('call.md', text)).toThrow('call.md: ')
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
