export * from '@retake/formats'
