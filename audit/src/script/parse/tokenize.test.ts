import { expect, test } from 'vitest'
import { tokenize } from './tokenize.ts'

test('a script ends where it ends, however much is asked for', () => {
  expect(tokenize('f(x)', 0, 4_000_000)).toMatchObject({ count: 4, next: 4 })
})

const wordsOf = (script: string) => {
  const { count, start, end } = tokenize(script)
  return Array.from({ length: count }, (_, at) => script.slice(start[at], end[at]))
}

test.each([
  ['a quotation mark in a pattern', `f(/["'\`]/g);a="x"`],
  ['a slash in a class', `x=y.replace(/[/"]/,"");a="x"`],
  ['a pattern that is returned', `function f(){return/"/.test(y)}a="x"`],
  ['what is divided', `b=c/d+"/"+e[0]/2;a="x"`],
  ['a template in a template', `b=\`\${c?\`{\${d}\`:"}"}\`;a="x"`],
  ['a brace in a string of a template', `b=\`\${f("{\`")}\`;a="x"`],
  ['a pattern in a template', `b=\`[\${c.replace(/\\\\{0,2}"/g,"\\\\\\"")}"]\`;a="x"`],
  ['a pattern behind a keyword in a template', `b=\`\${d.map((e)=>{return /["}]/.test(e)})}\`;a="x"`],
  ['what is divided in a template', `b=\`\${c/d+"}"+e[0]/f(2)/2}\`;a="x"`],
  ['a comment in a template', `b=\`\${c/* it's } */+d// "\n}\`;a="x"`],
  ['an object in a template', `b=\`\${f({c:{}})}\${\`x\`}\`;a="x"`],
])('%s does not hide what follows', (_, script) => {
  expect(wordsOf(script).slice(-3)).toEqual(['a', '=', '"x"'])
})

test('templates that open and open are one token', () => {
  expect(wordsOf(`a=${'`${'.repeat(50_000)}`)).toMatchObject(['a', '=', expect.stringMatching(/^`\$\{/)])
})
