export * from '@retake/vitest/browser'
