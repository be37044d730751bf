import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withCassette } from 'retake'
import { runRefundAgent } from '../src/refund-agent.js'
import { lookupOrder, refund } from '../src/tools.js'

describe('the refund agent', { concurrency: true }, () => {
  test('refunds a late order', (t) =>
    withCassette(t, async (cassette) => {
      const tools = cassette.tools({ lookupOrder, refund })
      const answer = await runRefundAgent('Where is A-77?', tools)
      assert.match(answer, /20 €/)
      assert.equal(cassette.trace.steps.filter(({ type }) => type === 'model_output').length, 3)
    }))

  test('leaves a delivered order alone', (t) =>
    withCassette(t, async (cassette) => {
      const tools = cassette.tools({ lookupOrder, refund })
      assert.match(await runRefundAgent('Please refund B-12.', tools), /delivered/)
    }))
})
