/** The two tools that every client of the matrix offers its model. */
export const toolSpecs = [
  {
    name: 'get_weather',
    description: 'Tells the weather.',
    schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
  },
  { name: 'get_time', description: 'Tells the time.', schema: { type: 'object' as const, properties: {} } },
]

export const chatTools = toolSpecs.map(({ name, description, schema }) => ({
  type: 'function' as const,
  function: { name, description, parameters: schema },
}))

export const question = 'What is it like in Paris?'
export const apiKey = 'k-0123456789abcdef'

/** What the tools give to an agent that runs them: one works, the other does not. */
export const weatherIn = (input: unknown) => `18 °C in ${(input as { city: string }).city}`
export const brokenClock = (): string => {
  throw new Error('the clock is broken')
}
