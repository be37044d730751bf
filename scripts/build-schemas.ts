import { mkdirSync, writeFileSync } from 'node:fs'
import { jsonSchemas } from '../packages/trace/src/schema/json-schemas.ts'

// Writes the JSON Schemas of the cassette formats, which editors and other languages can use.
const folder = new URL('../packages/trace/schema/', import.meta.url)
mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(jsonSchemas)) writeFileSync(new URL(name, folder), text)
