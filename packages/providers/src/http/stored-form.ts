import type { JsonObject } from '@retake/trace'
import { toStoredBody } from './stored-body.ts'

export type StoredForm = { form: JsonObject[] }

/** The fields of a form in order; the boundary between them is another each time. Undefined for what is no form. */
export async function readForm(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string | null,
): Promise<StoredForm | undefined> {
  if (!contentType?.startsWith('multipart/form-data')) return undefined
  try {
    const fields = await new Response(bytes, { headers: { 'content-type': contentType } }).formData()
    return { form: await Promise.all([...fields].map(([name, value]) => toField(name, value))) }
  } catch {
    // Cut off, or of another make: then it is compared byte for byte.
    return undefined
  }
}

const toField = async (name: string, value: FormDataEntryValue): Promise<JsonObject> =>
  typeof value === 'string'
    ? { name, value }
    : { name, fileName: value.name, type: value.type, ...toStoredBody(new Uint8Array(await value.arrayBuffer())) }
