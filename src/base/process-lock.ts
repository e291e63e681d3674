import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { longestLockMs } from './times.ts'

/**
 * Runs something in one process of this machine at a time. The name is an abstract socket of Linux, which leaves no file
 * and is given up by the kernel however its holder ends; those who wait hold a connection to it.
 */
export async function withProcessLock<T>(name: string, run: () => Promise<T>): Promise<T> {
  const path = `\0twotoken-${createHash('sha256').update(name).digest('hex')}`
  const deadline = AbortSignal.timeout(longestLockMs)
  let release = await acquire(path)
  while (release === null && !deadline.aborted) {
    await waitForRelease(path, deadline)
    release = await acquire(path)
  }
  try {
    return await run()
  } finally {
    release?.()
  }
}

/** Takes the name; the result gives it up. Null where another process holds it. */
async function acquire(path: string): Promise<(() => void) | null> {
  const waiting = new Set<Socket>()
  const server = createServer((socket) => {
    waiting.add(socket)
    socket.on('error', () => socket.destroy())
  })
  server.listen(path)
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null
    throw error
  }
  return () => {
    server.close()
    for (const socket of waiting) socket.destroy()
  }
}

/** Resolves when the holder has given the name up. */
async function waitForRelease(path: string, signal: AbortSignal): Promise<void> {
  const socket = connect(path)
  socket.on('error', () => undefined).resume()
  try {
    await once(socket, 'close', { signal })
  } catch {
    // It has taken too long.
  } finally {
    socket.destroy()
  }
}
