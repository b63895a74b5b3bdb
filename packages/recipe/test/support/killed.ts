// A process that works on an app until its run has ended, or it is killed. Arguments: the store, and as JSON what it is about.
import { app } from '@toolwright/core'
import { sqlite } from '@toolwright/core/sqlite'
import { desk } from './booking.ts'

const [file = '', stated = ''] = process.argv.slice(2)
const made = desk(JSON.parse(stated))
await using over = app({ agents: [made], store: sqlite(file), drain: false })
const run = await over.runs.start(made, 'Book.', { key: 'the run' })
console.log(await over.runs.answer(run))
