import { sqlite } from '../../src/sqlite.ts'
const t0 = Date.now()
const e = sqlite('/tmp/eng/b.db', {leaveAfter: 100})
await e.open({ f: async (place) => { console.log('begin', Date.now()-t0); await place.sleep('nap', 300); console.log('slept', Date.now()-t0); return 1 } })
const r = await e.run({ flow: 'f', input: 1 })
for (let i=0;i<10;i++){ await new Promise(r => setTimeout(r, 60)); console.log(Date.now()-t0, (await e.get(r.id))!.status) }
await e.close()
