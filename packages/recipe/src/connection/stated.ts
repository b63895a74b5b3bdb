// What may be stated of a connection: every fault at once.

import { reachOf } from '@toolwright/core/fetch'
import { below, faults as collect, type Faults, kindOf, type RecipeFault, short } from '../document/faults.ts'
import { isObject, objectAt } from '../document/keys.ts'
import { isSecret } from './secret.ts'

const KEYS =
  'baseUrl base_url auth headers timeout limits allowPrivate redirects idempotencyHeader variables resolve connect clock'.split(
    ' ',
  )
const AUTHS = {
  bearer: [],
  basic: ['user', 'password'],
  header: ['name', 'value'],
  query: ['name', 'value'],
  oauth2: ['tokenUrl', 'clientId', 'clientSecret', 'refreshToken', 'scope', 'send', 'refreshed'],
}
const LIMITS = ['total', 'answer', 'atOnce', 'entries']
/** Headers that belong to the transport, or to `auth`. */
const KEPT =
  /^(?:host|content-length|content-type|transfer-encoding|connection|upgrade|te|trailer|expect|accept-encoding|authorization|cookie|proxy-.*)$/i
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/

/** The faults of a connection; their pointers lead into what was stated. */
export function checkStated(name: unknown, stated: unknown): RecipeFault[] {
  const faults = collect()
  const add: Add = (pointer, problem, fix) => void faults.add(pointer, 'T4012', problem, fix)
  if (typeof name !== 'string' || name.trim() === '')
    add('', `its name is ${kindOf(name)}`, "write connection('booking', { baseUrl })")
  const found = objectAt(stated, '', KEYS, faults, {
    url: 'write baseUrl',
    token: 'write auth: { bearer: secret(…) }',
  })
  if (!found) return [...faults.all]
  const base = found['baseUrl'] ?? found['base_url']
  if (found['baseUrl'] !== undefined && found['base_url'] !== undefined)
    add('/base_url', 'is stated beside baseUrl', 'leave one of them out')
  checkBase(base, found['allowPrivate'] === true, add)
  checkAuth(found['auth'], faults, add)
  checkHeaders(found['headers'], add)
  if (found['idempotencyHeader'] !== undefined)
    checkHeader('/idempotencyHeader', found['idempotencyHeader'], add)
  for (const key of ['timeout'])
    if (found[key] !== undefined && !positive(found[key]))
      add(`/${key}`, `is ${kindOf(found[key])}`, 'write a number of ms above 0')
  const redirects = found['redirects']
  if (
    redirects !== undefined &&
    !(Number.isSafeInteger(redirects) && (redirects as number) >= 0 && (redirects as number) <= 3)
  )
    add('/redirects', `is ${kindOf(redirects)}`, 'write 0, 1, 2 or 3')
  if (found['allowPrivate'] !== undefined && typeof found['allowPrivate'] !== 'boolean')
    add('/allowPrivate', `is ${kindOf(found['allowPrivate'])}`, 'write true or false')
  for (const key of ['variables', 'resolve', 'connect'])
    if (found[key] !== undefined && typeof found[key] !== 'function')
      add(`/${key}`, `is ${kindOf(found[key])}`, 'write a function')
  const limits =
    found['limits'] === undefined ? undefined : objectAt(found['limits'], '/limits', LIMITS, faults)
  for (const [key, value] of Object.entries(limits ?? {}))
    if (LIMITS.includes(key) && !(positive(value) && (key === 'total' || Number.isSafeInteger(value))))
      add(`/limits/${key}`, `is ${kindOf(value)}`, 'write a number above 0')
  return [...faults.all]
}

/** Adds a fault; gives nothing, so that it can be the last word of a check. */
type Add = (pointer: string, problem: string, fix: string) => undefined

function positive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}

function checkBase(base: unknown, allowPrivate: boolean, add: Add): undefined {
  const fix = 'write an https address: https://api.example.com/v1'
  if (typeof base !== 'string' || !URL.canParse(base))
    return add(
      '/baseUrl',
      base === undefined
        ? 'is missing'
        : `${typeof base === 'string' ? short(base) : kindOf(base)} is no address`,
      fix,
    )
  const url = new URL(base)
  const local = reachOf(url.hostname) === 'loopback' || /^(?:.+\.)?localhost\.?$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local && allowPrivate))
    add('/baseUrl', 'is not https', local ? 'state allowPrivate: true for a server on this machine' : fix)
  if (url.username || url.password) add('/baseUrl', 'holds a user or a password', 'state auth: { basic: … }')
  if (url.search || url.hash)
    add(
      '/baseUrl',
      'holds a query or a fragment',
      'state the query in the recipe, a key as auth: { query: … }',
    )
}

function checkAuth(auth: unknown, faults: Faults, add: Add): undefined {
  if (auth === undefined) return
  const stated = objectAt(auth, '/auth', Object.keys(AUTHS), faults)
  if (!stated) return
  const kinds = Object.keys(stated).filter(kind => Object.hasOwn(AUTHS, kind)) as (keyof typeof AUTHS)[]
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1)
    return add(
      '/auth',
      kind ? `has ${kinds.join(' and ')}` : 'is empty',
      `write one of ${Object.keys(AUTHS).join(', ')}`,
    )
  if (kind === 'bearer') return secretAt('/auth/bearer', stated['bearer'], add)
  const at = `/auth/${kind}`
  const parts = objectAt(stated[kind], at, AUTHS[kind], faults)
  if (!parts) return
  if (kind === 'oauth2') {
    checkOAuth(parts, at, add)
    return
  }
  if (kind === 'header')
    checkHeader(`${at}/name`, parts['name'], add, /^(?:host|content-length|transfer-encoding|proxy-.*)$/i)
  if (kind === 'query') textAt(`${at}/name`, parts['name'], add)
  if (kind === 'basic') {
    if (!isSecret(parts['user'])) textAt(`${at}/user`, parts['user'], add)
    if (typeof parts['user'] === 'string' && parts['user'].includes(':'))
      add(`${at}/user`, 'holds a colon', 'a user of basic auth has none')
    secretAt(`${at}/password`, parts['password'], add)
  } else secretAt(`${at}/value`, parts['value'], add)
}

function checkOAuth(parts: { readonly [key: string]: unknown }, at: string, add: Add): void {
  const { tokenUrl } = parts
  if (typeof tokenUrl !== 'string' || !URL.canParse(tokenUrl))
    add(
      `${at}/tokenUrl`,
      tokenUrl === undefined ? 'is missing' : 'is no address',
      'write the address of the token endpoint',
    )
  textAt(`${at}/clientId`, parts['clientId'], add)
  for (const key of ['clientSecret', 'refreshToken'])
    if (parts[key] !== undefined) secretAt(`${at}/${key}`, parts[key], add)
  if (parts['clientSecret'] === undefined && parts['refreshToken'] === undefined)
    add(at, 'has neither clientSecret nor refreshToken', 'state the one that the server gave you')
  if (parts['send'] !== undefined && parts['send'] !== 'basic' && parts['send'] !== 'post')
    add(`${at}/send`, `is ${kindOf(parts['send'])}`, "write 'basic' or 'post'")
}

function secretAt(pointer: string, value: unknown, add: Add): undefined {
  if (isSecret(value)) return
  // The text itself is not shown: it may be the secret.
  const what =
    typeof value === 'string' ? 'is a text' : value === undefined ? 'is missing' : `is ${kindOf(value)}`
  add(
    pointer,
    `${what}, not a reference to a secret`,
    "write secret('NAME_OF_AN_ENVIRONMENT_VARIABLE'), or a function that gives it",
  )
}

function textAt(pointer: string, value: unknown, add: Add): void {
  if (typeof value === 'string' && value !== '') return
  add(pointer, value === undefined ? 'is missing' : `is ${kindOf(value)}`, 'write a text')
}

function checkHeaders(headers: unknown, add: Add): undefined {
  if (headers === undefined) return
  if (!isObject(headers))
    return add('/headers', `is ${kindOf(headers)}, not an object`, "write { 'x-tenant': 'a' }")
  for (const [name, value] of Object.entries(headers)) {
    const at = below('/headers', name)
    checkHeader(at, name, add)
    const good = isSecret(value) || (typeof value === 'string' && !/\p{Cc}|[^\p{ASCII}]/u.test(value))
    if (!good) add(at, 'is no text that a header can hold', 'write one line, or secret(…)')
  }
}

function checkHeader(pointer: string, name: unknown, add: Add, kept = KEPT): void {
  if (typeof name !== 'string' || !TOKEN.test(name))
    add(pointer, `${kindOf(name)} is no name of a header`, 'write letters, digits and -')
  else if (kept.test(name))
    add(
      pointer,
      `${name} is not yours to set`,
      'state auth for secrets; the rest is set by what sends the request',
    )
}
