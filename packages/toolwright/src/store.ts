// Which store a command is about, and which run of it.
import { existsSync, readdirSync } from 'node:fs'
import type { Engine, RunRecord } from '@toolwright/core'
import { isStore, sqlite } from '@toolwright/core/sqlite'
import { escapeLine } from './escape.ts'
import { CommandError } from './trouble.ts'

/** The variable that names the store of an app, where no option does. */
const VARIABLE = 'TOOLWRIGHT_STORE'

/**
 * The store that `stated`, TOOLWRIGHT_STORE, or the only one in this folder is, in this order. It is not owned: what it
 * is told, the process that owns it notices at once. Throws a {@link CommandError} where there is none, or are several.
 */
export async function openStore(stated: string | undefined): Promise<Engine> {
  const named = stated ?? process.env[VARIABLE]
  const place = named === undefined || named === '' ? onlyStore() : named
  if (/^postgres(ql)?:\/\//.test(place)) return await postgresStore(place)
  if (!existsSync(place)) throw new CommandError(2, `There is no store ${escapeLine(place, 400)}.`)
  return sqlite(place)
}

function onlyStore(): string {
  const stores = readdirSync('.').filter(name => name.endsWith('.db') && isStore(name))
  const [store] = stores
  if (stores.length === 1) return store!
  const there =
    store === undefined
      ? 'There is no store in this folder.'
      : `There are several stores in this folder: ${stores.map(name => escapeLine(name)).join(', ')}.`
  throw new CommandError(2, `${there} Name one: --store FILE, or ${VARIABLE}=FILE.`)
}

async function postgresStore(url: string): Promise<Engine> {
  // By a name that no bundler follows: who has no such store needs no such package.
  const name = '@toolwright/postgres'
  const door = (await import(name).catch(() => undefined)) as
    | { postgres: (url: string) => Engine }
    | undefined
  if (!door) throw new CommandError(2, `The package ${name} is not installed: npm install ${name}`)
  return door.postgres(url)
}

/** The run whose id is or begins with `wanted`. */
export async function findRun(store: Engine, wanted: string): Promise<RunRecord> {
  const exact = await store.get(wanted)
  if (exact) return exact
  const found = (await store.list({ limit: 1_000_000 })).filter(run => run.id.startsWith(wanted))
  const [run] = found
  if (run && found.length === 1) return run
  const ids = found.slice(0, 5).map(each => each.id)
  throw new CommandError(
    2,
    run
      ? `${found.length} runs begin with ${escapeLine(wanted)}: ${ids.join(', ')}${found.length > 5 ? ' …' : ''}.`
      : `There is no run ${escapeLine(wanted)} in the store. \`toolwright runs\` lists them.`,
  )
}
