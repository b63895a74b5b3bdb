// The store in memory does what every engine does, for as long as it is there.
import { keeper } from '../../src/engine/keeper.ts'
import { memoryStore } from '../../src/engine/memory-store.ts'
import type { Store } from '../../src/engine/store.ts'
import { conformance } from './conformance.ts'

const stores = new Map<string, Store>()

conformance({
  name: 'memory',
  make(name, clock) {
    const store = stores.get(name) ?? memoryStore()
    stores.set(name, store)
    return keeper(store, { clock })
  },
})
