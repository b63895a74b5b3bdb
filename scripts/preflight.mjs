// Says in one sentence what is missing, before anything fails in a way nobody can read.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `toolwright needs Node 22.19 or newer, and this is ${process.versions.node}. ` +
      'The repository brings its own as an optional dependency: run `npm ci` without --omit=optional, ' +
      'then use `npm run …`, which finds it. On a platform without one, install Node 22.19 or newer yourself.',
  )
  process.exit(1)
}
