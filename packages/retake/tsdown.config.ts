import { defineConfig, type UserConfig } from 'tsdown'
import manifest from './package.json' with { type: 'json' }

const thirdParty = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)]

const shared: UserConfig = {
  format: 'esm',
  platform: 'node',
  target: 'node22.12',
  sourcemap: false,
  deps: {
    // The workspaces are built in; everything else stays a dependency, so that users get its fixes.
    alwaysBundle: [/^@retake\//],
    onlyBundle: [],
    onlyImport: thirdParty,
  },
  tsconfig: 'tsconfig.json',
  failOnWarn: true,
}

export default defineConfig([
  {
    ...shared,
    // One build, so that what two entries share is one chunk: state kept in a module exists once a process.
    entry: {
      index: 'src/index.ts',
      vitest: 'src/vitest.ts',
      'vitest-browser': 'src/vitest-browser.ts',
      'jest-node': 'src/jest-node.ts',
      'jest-jsdom': 'src/jest-jsdom.ts',
      'jest-reporter': 'src/jest-reporter.ts',
      'jest-environment': '../jest/src/with-retake.ts',
      'jest-late': '../jest/src/late.ts',
      matchers: 'src/matchers.ts',
      late: '../vitest/src/late.ts',
      report: 'src/report.ts',
      trace: 'src/trace.ts',
      compare: 'src/compare.ts',
      formats: 'src/formats.ts',
      cli: 'src/cli.ts',
      register: 'src/register.ts',
      'exit-writer': '../session/src/process/exit-writer.ts',
      host: '../session/src/process/host.ts',
    },
    // Eager: the entries re-export other workspaces, which the lazy program does not see.
    dts: { eager: true },
    copy: [{ from: '../trace/schema/*.json', to: 'dist/schema' }],
  },
  {
    ...shared,
    // What tests import runs in the sandbox of Jest, where CommonJS cannot load ESM: it stands alone, in both forms.
    entry: { jest: 'src/jest.ts' },
    clean: false,
    dts: { eager: true },
  },
  {
    ...shared,
    entry: { jest: 'src/jest.ts', matchers: 'src/jest-matchers.ts' },
    format: 'cjs',
    checks: { legacyCjs: false },
    clean: false,
    dts: { eager: true },
  },
  {
    ...shared,
    // One file, since every test file pays for it. By this ending Vitest evaluates it for each of them, which it does not
    // do for modules of packages while `isolate` is off.
    entry: { 'vitest-setup': '../vitest/src/setup.ts' },
    outExtensions: () => ({ js: '.mts' }),
    clean: false,
    dts: false,
    plugins: [
      {
        name: 'retake:late',
        // What it loads late is an entry of the other build.
        resolveId: (source, importer, { kind }) =>
          importer && kind === 'dynamic-import' ? { id: source.replace(/\.ts$/, '.mjs'), external: true } : undefined,
      },
    ],
  },
])
