// The formats that are checked where a reader asks for it. JSON Schema 2020-12 makes `format` a remark by default,
// so `read` and `check` ask for none of them, and a shape asks for all. Other formats are ignored.

const tests: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: isTime,
  'date-time': text => /^.{10}[Tt]/.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  uuid: text => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  email: text => text.length <= 320 && /^[^\s@]+@[^\s@]+$/.test(text),
  uri: text => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) && !/["<>\\^`{|}]/.test(text),
}

const examples: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-01-31',
  time: 'a time such as 08:30:00Z',
  'date-time': 'a date and time such as 2026-01-31T08:30:00Z',
  uuid: 'a UUID',
  email: 'an e-mail address',
  uri: 'a URI with its scheme',
}

/** The test of a format, or undefined where the format is not one of those that are checked. */
export function formatOf(name: unknown): { test(text: string): boolean; expected: string } | undefined {
  if (typeof name !== 'string' || !Object.hasOwn(tests, name)) return undefined
  return { test: tests[name]!, expected: examples[name]! }
}

/** Whether a text is a day of the calendar, YYYY-MM-DD (RFC 3339 full-date). */
export function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (parts === null) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  if (month < 1 || month > 12 || day < 1) return false
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31)
}

// RFC 3339 full-time; a 60th second is a leap second and stands at the end of an hour somewhere.
function isTime(text: string): boolean {
  const parts = /^(\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-](\d\d):(\d\d))$/.exec(text)
  if (parts === null) return false
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const offset = [Number(parts[6] ?? 0), Number(parts[7] ?? 0)]
  return hour < 24 && minute < 60 && second <= 60 && offset[0]! < 24 && offset[1]! < 60
}
