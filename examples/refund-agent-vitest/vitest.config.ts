import { retake } from 'retake/vitest'
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [retake()] })
