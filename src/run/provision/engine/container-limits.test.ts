import { expect, test } from 'vitest'
import { confine, publishOn, warnOfPublishing } from './container-limits.ts'

test('a container has no privileges and no capabilities, and bounds of memory and processes', () => {
  expect(confine({ capabilities: [], memoryMegabytes: 512 })).toEqual({
    Privileged: false,
    SecurityOpt: ['no-new-privileges'],
    CapDrop: ['ALL'],
    CapAdd: [],
    Memory: 536_870_912,
    MemorySwap: 536_870_912,
    PidsLimit: 1024,
  })
})

test('the configuration gives back the capabilities that an image needs', () => {
  const limits = confine({ capabilities: ['SETUID', 'SETGID'], memoryMegabytes: 512 })
  expect(limits).toMatchObject({ CapDrop: ['ALL'], CapAdd: ['SETUID', 'SETGID'] })
})

test('ports are published on loopback, and nothing is said of it', () => {
  const local = { isLocal: true, host: '127.0.0.1' }
  expect(publishOn(local).HostIp).toBe('127.0.0.1')
  expect(warnOfPublishing(local)).toBeNull()
})

test('an engine on another machine publishes on its addresses, and that is said', () => {
  const remote = { isLocal: false, host: 'docker.acme.example' }
  expect(publishOn(remote).HostIp).toBe('')
  expect(warnOfPublishing(remote)).toMatch(
    /^the container engine is on another machine \(docker\.acme\.example\): .+ all of its addresses/,
  )
})
