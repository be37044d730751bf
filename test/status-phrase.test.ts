import { STATUS_CODES } from 'node:http'
import { expect, test } from 'vitest'
import { statusPhrase } from '../packages/providers/src/http/status-phrase.ts'

test('the phrases are those that Node sends', () => {
  for (let status = 100; status < 600; status++) expect(statusPhrase(status)).toBe(STATUS_CODES[status] ?? '')
})
