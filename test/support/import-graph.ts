import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ResolverFactory } from 'oxc-resolver'
import { parseModule } from './parse-module.ts'

/** One import met on the walk. */
export interface Reached {
  /** As written in the importing file. */
  specifier: string
  importer: string
  /** Absolute path, `node:…` for a built-in, or the specifier where the walk ends. */
  target: string
  /** Files from the entry to the importer. */
  via: string[]
}

/** A way out of `importer` that no import shows. */
export interface Hidden {
  what: string
  importer: string
  via: string[]
}

export interface Graph {
  reached: Reached[]
  hidden: Hidden[]
}

const resolver = new ResolverFactory({
  builtinModules: true,
  conditionNames: ['node', 'import', 'require', 'default'],
  extensions: ['.mjs', '.js', '.cjs', '.json', '.ts'],
})

const resolve = (specifier: string, importer: string): string => {
  const found = resolver.sync(dirname(importer), specifier)
  const target = found.builtin?.resolved ?? found.path
  if (target !== undefined) return target
  // An optional peer that is not installed: the importer goes on without it.
  if (isOptionalPeer(specifier, importer)) return specifier
  throw new Error(`${importer} imports ${specifier}: ${found.error}`)
}

const isOptionalPeer = (specifier: string, importer: string): boolean => {
  for (let folder = dirname(importer); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (!existsSync(manifest)) continue
    return JSON.parse(readFileSync(manifest, 'utf8')).peerDependenciesMeta?.[specifier]?.optional === true
  }
  return false
}

/**
 * Follows what `entry` loads at run time, through workspaces and third-party packages alike; with `which: 'atOnce'` what
 * it loads before it does anything. A specifier that is an `end` is listed and neither resolved nor followed.
 * @throws Error for an import that does not resolve
 */
export const walkImports = (
  entry: string,
  isEnd: (specifier: string) => boolean = () => false,
  which: 'imports' | 'atOnce' = 'imports',
): Graph => {
  const graph: Graph = { reached: [], hidden: [] }
  const seen = new Set([entry])
  const queue = [{ file: entry, via: [entry] }]
  for (const { file, via } of queue) {
    if (!/\.[cm]?[jt]s$/.test(file)) continue
    const { hidden, [which]: imports } = parseModule(readFileSync(file, 'utf8'), file)
    graph.hidden.push(...hidden.map((what) => ({ what, importer: file, via })))
    for (const specifier of new Set(imports)) {
      const target = isEnd(specifier) ? specifier : resolve(specifier, file)
      graph.reached.push({ specifier, importer: file, target, via })
      if (seen.has(target) || target.startsWith('node:') || isEnd(specifier)) continue
      seen.add(target)
      queue.push({ file: target, via: [...via, target] })
    }
  }
  return graph
}
