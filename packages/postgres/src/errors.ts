/** The codes of this package; each has a page in `docs/errors`. */
export const codes = {
  T6021: 'a PostgreSQL database cannot be reached or refuses',
  T6022: 'a right is missing in a PostgreSQL database',
} as const
