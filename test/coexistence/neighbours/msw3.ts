import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import type { Neighbour } from '../neighbour.ts'

export const createNeighbour = (): Neighbour => {
  const server = setupServer(http.get('*/weather', () => HttpResponse.json({ weather: 'mocked' })))
  return { listen: () => server.listen({ onUnhandledFrame: 'error' }), close: () => server.close() }
}
