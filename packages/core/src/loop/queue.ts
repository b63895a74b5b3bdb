// A queue: what is added begins when what was added before it has ended.

/** One at a time, in the order of adding. The first begins at once. */
export class Queue {
  private tail: Promise<void> | undefined

  add<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.tail === undefined ? work() : this.tail.then(work)
    const ended = (): void => {
      if (this.tail === tail) this.tail = undefined
    }
    const tail = mine.then(ended, ended)
    this.tail = tail
    return mine
  }
}
