/** Answers later: whatever can reach it is asynchronous. */
export async function pause(n: number): Promise<number> {
  return n
}
