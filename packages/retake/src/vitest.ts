export * from '@retake/vitest'
