import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici'
import type { Neighbour } from '../neighbour.ts'

export const createNeighbour = (): Neighbour => {
  const before = getGlobalDispatcher()
  const agent = new MockAgent()
  agent.disableNetConnect()
  agent
    .get(/localhost/)
    .intercept({ path: '/weather' })
    .reply(200, { weather: 'mocked' }, { headers: { 'content-type': 'application/json' } })
    .persist()
  return {
    listen: () => setGlobalDispatcher(agent),
    close() {
      setGlobalDispatcher(before)
      void agent.close()
    },
  }
}
