export * from '@retake/jest'
