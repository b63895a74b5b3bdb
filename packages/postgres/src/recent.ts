// What may be forgotten.

/** Keeps the last `most` of what was put in. */
export class Recent<K, V> {
  private readonly kept = new Map<K, V>()
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  get(key: K): V | undefined {
    return this.kept.get(key)
  }

  put(key: K, value: V): void {
    this.kept.delete(key)
    this.kept.set(key, value)
    if (this.kept.size > this.most) this.kept.delete(this.kept.keys().next().value!)
  }

  delete(key: K): void {
    this.kept.delete(key)
  }
}
