export * from '@retake/report'
