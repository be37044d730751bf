/** An agent that makes several requests, or has its answer parsed, and what came of it. */
export type Loop = (url: string) => Promise<unknown>
