import { toJsonSchema } from '@valibot/to-json-schema'
import { v2FileSchema, v3FileSchema } from './file-schemas.ts'

/** The JSON Schemas of the cassette files, by file name. */
export const jsonSchemas = {
  'v2.json': print('retake cassette, version 2', v2FileSchema),
  'v3.json': print('retake cassette, version 3', v3FileSchema),
}

function print(title: string, schema: typeof v2FileSchema | typeof v3FileSchema): string {
  // Checks by code have no words in a schema; verify makes them.
  const { $schema, ...rest } = toJsonSchema(schema, { errorMode: 'ignore' })
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`
}
