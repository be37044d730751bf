/**
 * Headers with the same entries. Not made from the object itself: where layer 2 starts between its making and a change of
 * it, `@mswjs/interceptors` takes the change for all there is.
 */
export const copyHeaders = (headers: HeadersInit | undefined): Headers =>
  new Headers(headers && Symbol.iterator in headers ? [...(headers as Iterable<[string, string]>)] : headers)
