export * from '@retake/cli'
