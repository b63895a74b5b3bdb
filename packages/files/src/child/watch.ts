// The child's own watch, in a thread beside the work: it sees buffers too, which limits of a worker or of the heap
// do not, it goes on while a reader loops, and it ends the child where the parent is gone.
import { writeSync } from 'node:fs'

/** The word on standard error by which the parent knows why the child ended itself. */
export const MEMORY = 'toolwright: over the limit of memory'

const EVERY = 10
/** The parent ends a child that is late; this is for a child without one. */
const GRACE = 2_000

/** Kills the process where it takes more than `most` bytes, or longer than `time` ms and some grace. */
export function watch({ most, time }: { most: number; time: number }): void {
  const late = performance.now() + time + GRACE
  setInterval(() => {
    const over = process.memoryUsage.rss() > most
    if (!over && performance.now() < late) return
    try {
      if (over) writeSync(2, MEMORY)
    } finally {
      process.kill(process.pid, 'SIGKILL')
    }
  }, EVERY)
}
