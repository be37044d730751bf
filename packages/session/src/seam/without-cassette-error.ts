import { CassetteMissingError } from '../errors.ts'

/** Why a test that has no cassette may not make this model request. */
export function withoutCassetteError(test: string, url: string): CassetteMissingError {
  const { origin, pathname, host } = new URL(url)
  const request = `${origin}${pathname}`
  return new CassetteMissingError(
    'a test without a cassette made a model call, which was not sent\n' +
      `  test     ${test}\n  request  ${request}\n` +
      '  Give the test a cassette: useCassette(), or everyTest: true for all. Is the call meant to be live?\n' +
      `  Then allow: ['${host}'], or withoutCassette: 'allow' for all (under CI the default is 'error').`,
    { test, url: request, reason: 'without-cassette' },
  )
}
