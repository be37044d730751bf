export * from '@retake/compare'
