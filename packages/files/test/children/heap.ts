// A reader that takes heap, without a watch: V8's own limit ends it.
const kept: number[][] = []
for (;;) kept.push(Array.from({ length: 10_000 }, (_, i) => i + kept.length))
