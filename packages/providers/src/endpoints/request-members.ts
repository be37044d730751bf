import type { JsonObject } from '@retake/trace'

export const without = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

/** Azure and Google name the model in the path: `/deployments/NAME/`, `/models/NAME:embedContent`. */
export function withModelOfPath(body: JsonObject, { pathname }: URL): JsonObject {
  const [, deployment, model] = /\/deployments\/([^/]+)\/|\/(models\/[^/:]+):[^/]+$/.exec(pathname) ?? []
  const named = deployment ?? model
  return named === undefined || body.model !== undefined ? body : { model: decodeURIComponent(named), ...body }
}
