import { type JsonObject, maskMarkers } from '@retake/trace'

/** `http GET host/path`. A name is no place for ids and keys. */
export const httpName = ({ method, url }: JsonObject): string => {
  const place = String(url)
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[?#].*$/s, '')
    .replace(/\/$/, '')
  return maskMarkers(`http ${method} ${place}`)
}
