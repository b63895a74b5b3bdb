import { sqlite } from '../../src/sqlite.ts'
const e = sqlite('/tmp/eng/a.db', {leaveAfter: 100})
await e.open({
  f: async (place, run) => {
    const a = await place.step('a', async s => ({ at: new Date(0), key: s.key, attempt: s.attempt }))
    const outs = await Promise.all([1, 2].map(n => place.branch(`1.${n}`, 'tool', async p => {
      p.write('t', n, {kind:'add', message: {role:'user'} as never})
      if (n === 2) { const d = await p.decide('ask', { step: `${p.path}/ask`, call: {id:'', tool:'x', arguments:'{}'}, why:'', about:'', readOnly:false }, Date.now()+60000); return { text: JSON.stringify(d) } }
      return { text: 'one ' + await p.step('x', async () => 5n) }
    })))
    await place.sleep('nap', 300)
    const w = await place.wait('w', 'ch', Date.now() + 10000)
    return { a: a.key, outs: outs as never, w: w ?? null }
  },
})
const r = await e.run({ flow: 'f', input: { x: 1 } })
await new Promise(r => setTimeout(r, 400))
console.log(await e.get(r.id), (await e.asks()).map(a => a.step))
console.log(await e.decide(r.id, 'tool 1.2 tool/ask', { approved: true }), await e.decide(r.id, 'tool 1.2 tool/ask', { approved: false }))
await new Promise(r => setTimeout(r, 800))
console.log(await e.get(r.id))
await e.send(r.id, 'ch', 'hello')
console.log(await e.settled(r.id))
const st = await e.steps(r.id); console.log('LATE', st.find(s => s.name==='nap' && s.kind==='step')!.at - Number(st.find(s => s.name==='nap')!.value))
await e.close()
