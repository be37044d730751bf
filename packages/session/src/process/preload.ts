/** What `retake/register` is: it makes sure of the Node before anything that an older one cannot load. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(`retake needs Node 22.12 or newer; this is ${process.version}.\n`)
  process.exit(2)
}
const { register } = await import('./register.ts')
register()

export {}
