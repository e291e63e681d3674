import { test } from 'vitest'
import {
  expectConformantBackend,
  expectConformantMint,
  expectConformantSignaling,
} from '../../docs/fixes/expect-conformant.ts'

// The blocks of `docs/fixes` for packages that the suite itself does not install.

test('the blocks form a conformant backend with Fastify', () => expectConformantBackend('fastify'))
test('the blocks form a conformant mint with Fastify', () => expectConformantMint('fastify'))
test('the blocks form a conformant signaling service with Socket.IO', () =>
  expectConformantSignaling('socket.io'))
