import { STATUS_CODES } from 'node:http'
import { statusPhrase } from '@retake/providers'
import { expect, test } from 'vitest'

test('the phrases are those that Node sends', () => {
  for (let status = 100; status < 600; status++) expect(statusPhrase(status)).toBe(STATUS_CODES[status] ?? '')
})
