import { expect, test } from 'vitest'
import { createStyle } from './style.ts'
import { renderVerifyReport } from './verify-report.ts'

test('a report is a verdict and a row a check', () => {
  const text = renderVerifyReport(
    {
      file: 'a.json',
      format: 'retake',
      version: 2,
      pass: false,
      checks: [
        { name: 'schema_version', status: 'pass', detail: 'version 2' },
        { name: 'hash_chain', status: 'fail', code: 'hash_mismatch', where: 'step 4', detail: 'the hash does not fit' },
        { name: 'provider_neutrality', status: 'skip', detail: 'skipped (an earlier check failed)' },
      ],
    },
    { style: createStyle() },
  )
  expect(text.split('\n')).toEqual([
    'FAIL  a.json  version 2',
    '  ✓ schema_version       version 2',
    '  ✗ hash_chain           step 4: the hash does not fit',
    '  – provider_neutrality  skipped (an earlier check failed)',
  ])
})

test('checks that were not made are one row, and a long row goes on below itself', () => {
  const skipped = { status: 'skip', detail: 'skipped (an earlier check failed)' } as const
  const text = renderVerifyReport(
    {
      format: 'retake',
      version: null,
      pass: false,
      checks: [
        {
          name: 'schema_version',
          status: 'fail',
          code: 'x',
          where: 'line 2',
          detail: 'the cassette contains merge marks',
        },
        { name: 'hash_chain', ...skipped },
        { name: 'pairing', ...skipped },
      ],
    },
    { style: createStyle(), width: 44 },
  )
  expect(text.split('\n')).toEqual([
    'FAIL  trace',
    '  ✗ schema_version  line 2: the cassette',
    '                    contains merge marks',
    '  – 2 more          skipped (an earlier',
    '                    check failed)',
  ])
})

test('a file name cannot act on the terminal', () => {
  const report = { file: 'a\u001b[2J\n.json', format: 'retake', version: null, pass: true, checks: [] } as const
  expect(renderVerifyReport({ ...report, checks: [] }, { style: createStyle() })).toBe('PASS  a\\u001b[2J .json')
})
