import { registerHooks } from 'node:module'

// Every import of the package, and of the files of this copy, gets a module of its own.
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    const isCopy = specifier.startsWith('@mswjs/interceptors') || context.parentURL?.endsWith('?second-copy')
    if (!isCopy || context.conditions.includes('require') || !resolved.url.includes('/@mswjs/interceptors/'))
      return resolved
    return { ...resolved, url: `${resolved.url}?second-copy` }
  },
})
export const { createNeighbour } = await import('./msw3.ts')
