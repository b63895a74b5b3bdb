/** What is ordered. */
export interface Order {
  /** The name of the thing. */
  thing: string
  /** How many. @minimum 1 @integer */
  count?: number
}
