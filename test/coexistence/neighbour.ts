/** A library that answers requests of the user's own tests, as strict as it can be about all others. */
export interface Neighbour {
  /** From now on `GET /weather` of `localhost` is mocked, and nothing else may pass. */
  listen(): void
  close(): void
}

/** What each module of `neighbours/` exports. */
export declare function createNeighbour(): Neighbour
