import nock from 'nock'
import type { Neighbour } from '../neighbour.ts'

// It is on as soon as it is loaded.
nock.restore()

export const createNeighbour = (): Neighbour => ({
  listen() {
    if (!nock.isActive()) nock.activate()
    nock(/localhost/)
      .persist()
      .get('/weather')
      .reply(200, { weather: 'mocked' })
    nock.disableNetConnect()
  },
  close() {
    nock.enableNetConnect()
    nock.cleanAll()
    nock.restore()
  },
})
