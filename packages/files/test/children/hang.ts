// A reader that never ends.
for (;;) Math.random()
