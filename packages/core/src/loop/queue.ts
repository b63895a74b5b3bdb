// A queue: what is added begins when what was added before it has ended.

/** One at a time, in the order of adding. The first begins at once. */
export class Queue {
  private tail: Promise<void> | undefined

  add<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.tail === undefined ? work() : this.tail.then(work)
    const tail = mine.then(ignore, ignore)
    this.tail = tail
    void tail.then(() => {
      if (this.tail === tail) this.tail = undefined
    })
    return mine
  }
}

function ignore(): void {}
