import type { KnipConfig } from 'knip'
import published from './packages/retake/package.json' with { type: 'json' }

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
      // Found by their place: by scripts/compat.ts, test/e2e/types.test.ts and the types of fresh projects.
      ignoreDependencies: ['node22', 'node26', 'typescript59', 'typescript7', '@jest/globals'],
    },
    // Run by test/e2e/jest, by their place.
    'runners/*': { ignoreDependencies: ['@jest/globals', 'jest', 'jest-environment-jsdom'] },
    'examples/node-test': { entry: ['test/*.js'] },
    // Installed for the workspaces that are built into it; test/boundaries.test.ts keeps the list equal to theirs.
    'packages/retake': { ignoreDependencies: Object.keys(published.dependencies) },
  },
} satisfies KnipConfig
