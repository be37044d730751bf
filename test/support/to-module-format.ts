import type { JestKind } from './jest-project.ts'

/** A module that is written with imports of names, as CommonJS where that is asked for. */
export const toModuleFormat = (text: string, format: JestKind['format'] = 'cjs'): string =>
  format === 'esm'
    ? text
    : text
        .replace(/^import (\{[^}]*\}|\w+) from ('[^']*')$/gm, (_, names: string, from: string) => {
          return `const ${names.replaceAll(' as ', ': ')} = require(${from})`
        })
        .replace(/^export (async )?function (\w+)/gm, 'exports.$2 = $2; $1function $2')
        .replace(/^export const (\w+) =/gm, 'const $1 = exports.$1 =')
