import { HttpResponse, http } from 'msw2'
import { setupServer } from 'msw2/node'
import type { Neighbour } from '../neighbour.ts'

export const createNeighbour = (): Neighbour => {
  const server = setupServer(http.get('*/weather', () => HttpResponse.json({ weather: 'mocked' })))
  return { listen: () => server.listen({ onUnhandledRequest: 'error' }), close: () => server.close() }
}
