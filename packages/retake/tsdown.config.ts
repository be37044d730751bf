import { defineConfig } from 'tsdown'
import manifest from './package.json' with { type: 'json' }

const thirdParty = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)]

export default defineConfig({
  // One build, so that what two entries share is one chunk: state kept in a module exists once a process.
  entry: {
    index: 'src/index.ts',
    vitest: 'src/vitest.ts',
    'set-up': '../vitest/src/set-up.ts',
    trace: 'src/trace.ts',
    compare: 'src/compare.ts',
    cli: 'src/cli.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node22.12',
  // Eager: the entries re-export other workspaces, which the lazy program does not see.
  dts: { eager: true },
  sourcemap: false,
  deps: {
    // The workspaces are built in; everything else stays a dependency, so that users get its fixes.
    alwaysBundle: [/^@retake\//],
    onlyBundle: [],
    onlyImport: thirdParty,
  },
  copy: [
    { from: '../trace/schema/*.json', to: 'dist/schema' },
    { from: 'src/vitest-setup.mts', to: 'dist' },
  ],
  tsconfig: 'tsconfig.json',
  failOnWarn: true,
})
