// The script of `readAlone`: reads the file that it is given, and prints what that took.
import { readFiles } from '@toolwright/files'

const path = process.argv[2] ?? ''
// Once before, so that what is loaded is not counted as what is read.
await readFiles([{ name: 'warm.html', bytes: Buffer.from('<p>warm') }])
const before = process.resourceUsage().maxRSS
const began = performance.now()
const told = await readFiles([{ name: path, path }]).then(
  ([file]) => ({ length: file?.kind === 'words' ? file.text.length : 0 }),
  (error: { code: string }) => ({ code: error.code, length: 0 }),
)
const grown = (process.resourceUsage().maxRSS - before) * 1024
process.stdout.write(JSON.stringify({ ...told, grown, ms: performance.now() - began }))
