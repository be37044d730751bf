import { CassetteCorruptError, isJsonObject, type JsonObject, UnsupportedError } from '@retake/trace'
import type { HttpAnswer, HttpAsked, HttpCall, StoredResult } from './http-call.ts'
import { httpName } from './http-name.ts'
import { statusPhrase } from './status-phrase.ts'
import { fromStoredBody, storedBodyOf, toStoredBody } from './stored-body.ts'
import type { StoredForm } from './stored-form.ts'

/**
 * A request of the agent's own code to anything that is no model: what it asks is method, URL and body, or the fields of
 * a form instead of its bytes.
 * @throws UnsupportedError for a body that the client sends with a GET, which `fetch` cannot send on
 */
export function toPlainCall(request: HttpAsked, form?: StoredForm): HttpCall {
  const { method, url, bytes } = request
  const address = new URL(url)
  address.hash = ''
  address.username = ''
  address.password = ''
  const toolInput: JsonObject = { method, url: address.href, ...(form ?? toStoredBody(bytes)) }
  const toolName = httpName(toolInput)
  if (request.hidesBody) {
    throw new UnsupportedError(
      `${toolName} has a body, which cannot be recorded: a ${method} of fetch has none\n` +
        `  Wrap the tool that makes it with \`cassette.tools()\`, or let it pass with \`allow: ['${url.host}']\`.`,
      { name: 'GET with a body', url: url.origin + url.pathname },
    )
  }
  return { origin: 'http', toolName, toolInput, toResult, toAnswer }
}

/** Of the headers only the content type is stored, and where a redirect leads. */
function toResult({ status, statusText, headers, bytes, end, url }: HttpAnswer): StoredResult {
  const { 'content-type': contentType, location } = headers
  const isRedirect = status >= 300 && status < 400
  return {
    result: {
      status,
      ...(statusText !== statusPhrase(status) && { statusText }),
      ...(url !== undefined && { url }),
      ...(isRedirect && location !== undefined && { location }),
      ...(contentType !== undefined && { contentType }),
      ...toStoredBody(bytes),
      ...(end && { end }),
    },
  }
}

function toAnswer(stored: StoredResult): HttpAnswer | undefined {
  if ('error' in stored) return undefined
  const result = isJsonObject(stored.result) ? stored.result : {}
  const { statusText, url, location, contentType, end } = result
  const status = Number(result.status)
  if (!(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw new CassetteCorruptError('the recorded response of an HTTP request has no status from 200 to 599', { status })
  }
  return {
    status,
    statusText: typeof statusText === 'string' ? statusText : statusPhrase(status),
    headers: {
      ...(typeof contentType === 'string' && { 'content-type': contentType }),
      ...(typeof location === 'string' && { location }),
    },
    bytes: fromStoredBody(storedBodyOf(result)),
    ...((end === 'cut' || end === 'aborted') && { end }),
    ...(typeof url === 'string' && { url }),
  }
}
