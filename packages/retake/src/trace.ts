export * from '@retake/trace'
