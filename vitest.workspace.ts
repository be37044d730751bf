/** The test projects of this repository; vitest.config.ts runs them. */
export default [
  {
    extends: true as const,
    test: {
      name: 'unit',
      testTimeout: 30_000,
      include: [
        'packages/*/src/**/*.test.ts',
        'test/*.test.ts',
        'test/support/**/*.test.ts',
        'test/session/**/*.test.ts',
        'test/coexistence/**/*.test.ts',
        'test/clients/**/*.test.ts',
        'test/matrix/**/*.test.ts',
        'scripts/**/*.test.ts',
      ],
    },
  },
  {
    extends: true as const,
    test: {
      name: 'e2e',
      include: ['test/e2e/**/*.test.ts'],
      testTimeout: 60_000,
      // They run the command, and Jest on the package, as users have them.
      globalSetup: 'test/support/built-package.ts',
    },
  },
]
