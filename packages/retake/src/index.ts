export * from '@retake/session'
