// A reader that takes buffers, which no limit of the heap sees, under the watch of a real child.
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { watch } from '../../src/child/watch.ts'

if (isMainThread) {
  const { limits } = JSON.parse(process.argv[2] ?? '') as { limits: { memory: number; time: number } }
  const most = process.memoryUsage.rss() + limits.memory
  new Worker(new URL(import.meta.url), { workerData: { most, time: limits.time } })
  const kept: Buffer[] = []
  for (let n = 0; n < 4000; n++) kept.push(Buffer.alloc(1_000_000, 1))
  // Held to the end, so that nothing frees it before.
  process.stdout.write(String(kept.length))
} else watch(workerData)
