import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { walkImports } from './import-graph.ts'
import { parseModule } from './parse-module.ts'

export interface Room {
  /** The packages of ours it may import. */
  mayImport: string[]
  /** True for the half that reads cassettes and cannot reach the network. */
  analysis: boolean
  /** Which of its files may touch the disk: all, none, or those with these names. */
  disk: boolean | string[]
}

/** The floor plan of ARCHITECTURE.md. */
export const rooms: Record<string, Room> = {
  trace: { mayImport: [], analysis: true, disk: ['cassette-disk.ts', 'check-writable.ts', 'save-cassette.ts'] },
  compare: { mayImport: ['trace'], analysis: true, disk: false },
  providers: { mayImport: ['trace'], analysis: true, disk: false },
  formats: { mayImport: ['trace', 'compare', 'providers'], analysis: true, disk: true },
  report: { mayImport: ['trace', 'compare'], analysis: true, disk: false },
  cli: { mayImport: ['trace', 'compare', 'formats', 'report'], analysis: true, disk: true },
  session: { mayImport: ['trace', 'compare', 'providers', 'formats'], analysis: false, disk: true },
  vitest: { mayImport: ['session', 'compare', 'report', 'trace', 'formats'], analysis: false, disk: true },
  jest: { mayImport: ['session', 'compare', 'report', 'trace', 'formats'], analysis: false, disk: true },
  retake: {
    mayImport: ['trace', 'compare', 'formats', 'report', 'session', 'vitest', 'jest', 'cli'],
    analysis: false,
    disk: false,
  },
}

const network = /^node:(https?|http2|net|tls|dns(\/promises)?|dgram|quic)$/
/** Built-ins that start other code, where this walk cannot follow. */
const escapes = /^node:(module|worker_threads|cluster|inspector(\/promises)?|wasi)$/
const disk = /^node:(fs(\/promises)?|child_process)$/
const kept = /^(undici|msw|@mswjs\/.+|openai|@anthropic-ai\/.+|axios|got|vitest|@retake\/(session|vitest|jest|cli))$/

const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

const isKept = (specifier: string): boolean => kept.test(packageOf(specifier))

/** What breaks the floor plan in a repository, as sentences. `root` holds `packages/<room>/src`. */
export const findViolations = (root: string, plan: Record<string, Room> = rooms): string[] =>
  Object.entries(plan).flatMap(([name, room]) => [
    ...findOwnViolations(root, name, room),
    ...(room.analysis ? findWaysOut(name, join(root, 'packages', name, 'src/index.ts'), root) : []),
  ])

/** Rules for the files of one package, whether an entry reaches them or not. */
const findOwnViolations = (root: string, name: string, room: Room): string[] => {
  const directory = join(root, 'packages', name)
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  // What is declared for development and still shipped fails the build, which may only import what `retake` declares.
  const declared = Object.keys({
    ...manifest.dependencies,
    ...manifest.peerDependencies,
    ...manifest.devDependencies,
  })
  const files = globSync('src/**/*.ts', { cwd: directory }).filter((file) => !file.endsWith('.test.ts'))
  return files.flatMap((file) => {
    const { imports } = parseModule(readFileSync(join(directory, file), 'utf8'), file)
    const faults = imports.flatMap((specifier) => {
      if (specifier.startsWith('.')) return judgeRelative(specifier, file)
      return specifier.startsWith('node:')
        ? judgeBuiltin(specifier, file, room)
        : judgePackage(specifier, declared, room)
    })
    return faults.map((fault) => `packages/${name}/${file.split(sep).join('/')} ${fault}`)
  })
}

const judgeRelative = (specifier: string, file: string): string[] =>
  join(dirname(file), specifier).startsWith('..') ? [`leaves its package by ${specifier}`] : []

const judgeBuiltin = (specifier: string, file: string, room: Room): string[] => {
  const mayUseDisk = Array.isArray(room.disk) ? room.disk.includes(basename(file)) : room.disk
  if (disk.test(specifier) && !mayUseDisk) return [`uses ${specifier}, which it may not`]
  return room.analysis && escapes.test(specifier) ? [`uses ${specifier}, which hides imports`] : []
}

const judgePackage = (specifier: string, declared: string[], room: Room): string[] => {
  const target = packageOf(specifier)
  const ours = /^@retake\/(.+)$/.exec(target)?.[1]
  return [
    ...(declared.includes(target) ? [] : [`imports ${target}, which its package.json does not declare`]),
    ...(ours && !room.mayImport.includes(ours) ? [`imports ${target}, which it may not`] : []),
  ]
}

/** Everything that `entry`, called `name`, loads and the analysis half may not, third-party code included. */
export const findWaysOut = (name: string, entry: string, root: string): string[] => {
  const short = (file: string) => relative(root, file).split(sep).join('/')
  const path = (via: string[]) => via.map(short).join(' → ')
  const { reached, hidden } = walkImports(entry, isKept)
  const ways = reached.filter(({ specifier, target }) => network.test(target) || isKept(specifier))
  return [
    ...ways.map(({ specifier, via }) => `${name} reaches ${specifier}: ${path(via)}`),
    ...hidden.map(({ what, via }) => `${name} reaches ${what}: ${path(via)}`),
  ]
}
