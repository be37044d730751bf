import { writeFileSync } from 'node:fs'
import { renderFeatures } from './features/render-features.ts'

// Writes the page of what becomes of every feature of a provider.
writeFileSync(new URL('../docs/features.md', import.meta.url), renderFeatures())
