import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempFolder } from '../base/temp-folder.ts'
import { findConfiguration, requireConfiguration } from './find-configuration.ts'

async function openProject() {
  const project = await openTempFolder()
  const inner = join(project.path, 'repository', 'packages', 'shop')
  await mkdir(inner, { recursive: true })
  const write = (file: string) => writeFile(join(project.path, file), '')
  return { inner, write, [Symbol.asyncDispose]: () => project[Symbol.asyncDispose]() }
}

test('takes the nearest file up to the root of the repository, and none above it', async () => {
  await using project = await openProject()
  await project.write('twotoken.yaml')
  await project.write('repository/.git')
  expect(findConfiguration(project.inner)).toBeUndefined()
  expect(() => requireConfiguration(project.inner)).toThrow(/--reference$/)
  await project.write('repository/twotoken.yaml')
  expect(findConfiguration(project.inner)).toBe(join('..', '..', 'twotoken.yaml'))
  await project.write('repository/packages/shop/twotoken.yaml')
  expect(findConfiguration(project.inner)).toBe('twotoken.yaml')
})

test('takes the file of the folder alone outside a repository', async () => {
  await using project = await openProject()
  await project.write('repository/twotoken.yaml')
  expect(findConfiguration(project.inner)).toBeUndefined()
  expect(findConfiguration(join(project.inner, '../..'))).toBe('twotoken.yaml')
})
