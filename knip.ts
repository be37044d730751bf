import type { KnipConfig } from 'knip'
import published from './packages/retake/package.json' with { type: 'json' }

// Declared for rooms that are being built; a line goes when its room is used.
const ahead = {
  formats: ['@retake/providers', 'write-file-atomic'],
  jestRunners: [
    '@jest/globals',
    'jest',
    'jest-environment-jsdom',
    'ts-jest',
    '@swc/core',
    '@swc/jest',
    'retake',
    'openai',
    '@anthropic-ai/sdk',
  ],
}

export default {
  // A type that an exported function of the same file takes or gives has a right to its name.
  ignoreExportsUsedInFile: { interface: true, type: true },
  workspaces: {
    '.': {
      entry: [
        'scripts/*.ts',
        'scripts/demo/record-{example,jest-examples,process-examples}.ts',
        'scripts/bench/retained-heap.ts',
      ],
      project: ['scripts/**/*.ts', '*.ts'],
      // Started by scripts/pack-check.ts, which knip does not read as a shell.
      ignoreDependencies: ['@arethetypeswrong/cli'],
      ignoreBinaries: ['mkfifo'],
    },
    test: {
      entry: [
        '**/*.test.ts',
        // Copied into a project of its own by scripts/pack-check.ts.
        '{stranger,types}/*.{ts,mjs}',
        'support/fake-provider/main.ts',
        // A process of its own, and what it imports by name.
        'coexistence/play.ts',
        'coexistence/neighbours/*.ts',
      ],
      project: ['**/*.{ts,mjs}'],
      // Started by their place, by scripts/compat.ts and test/e2e/types.test.ts.
      ignoreDependencies: ['node22', 'node26', 'typescript59', 'typescript7'],
    },
    'packages/formats': { ignoreDependencies: ahead.formats },
    'packages/{cli,session,vitest}': { ignoreDependencies: ['@retake/formats'] },
    'runners/*': { ignoreDependencies: ahead.jestRunners },
    'examples/{openai-jest,anthropic-jest-typescript}': { ignoreDependencies: ahead.jestRunners },
    'examples/node-test': { entry: ['test/*.js'] },
    // Installed for the workspaces that are built into it; test/boundaries.test.ts keeps the list equal to theirs.
    'packages/retake': {
      ignoreDependencies: [...Object.keys(published.dependencies), '@retake/jest', '@retake/report'],
    },
  },
} satisfies KnipConfig
