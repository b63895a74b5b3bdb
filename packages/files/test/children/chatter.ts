// A reader that says far too much.
import { writeSync } from 'node:fs'

const line = Buffer.alloc(65_536, 'x')
for (;;) {
  try {
    writeSync(1, line)
  } catch {
    // The pipe is full for now.
  }
}
