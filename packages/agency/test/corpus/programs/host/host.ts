export default function stack(limit: number) {
  const held: string[] = []
  return {
    push(item: string): number {
      if (held.length >= limit) throw new Error('full')
      return held.push(item)
    },
    pop: (): string | undefined => held.pop(),
    size: (): number => held.length,
  }
}

export const later = async (n: number): Promise<number> => n * 10
export const parse = (text: string): unknown => JSON.parse(text)
export const limits = { max: 20 }

export async function each(items: string[], block: (item: string, i: number) => unknown): Promise<void> {
  for (const [i, item] of items.entries()) await block(item, i)
}
