export const formatSteps = (count: number): string => (count === 1 ? '1 step' : `${count} steps`)
