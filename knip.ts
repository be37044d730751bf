import type { KnipConfig } from 'knip'
import published from './packages/retake/package.json' with { type: 'json' }

export default {
  workspaces: {
    '.': { entry: ['scripts/*.ts'], project: ['scripts/**/*.ts', 'test/**/*.ts', '*.ts'] },
    // Installed for the workspaces that are built into it; test/boundaries.test.ts keeps the list equal to theirs.
    'packages/retake': { ignoreDependencies: [...Object.keys(published.dependencies), 'msw'] },
  },
} satisfies KnipConfig
