import assert from 'node:assert/strict'
import { withCassette } from 'retake'
import { runRefundAgent } from '../src/refund-agent.js'
import { lookupOrder, refund } from '../src/tools.js'

describe('the refund agent', () => {
  it('refunds a late order', function () {
    return withCassette(this, async (cassette) => {
      const tools = cassette.tools({ lookupOrder, refund })
      const answer = await runRefundAgent('Where is A-77?', tools)
      assert.match(answer, /20 €/)
    })
  })

  it('leaves a delivered order alone', function () {
    return withCassette(this, async (cassette) => {
      const tools = cassette.tools({ lookupOrder, refund })
      assert.match(await runRefundAgent('Please refund B-12.', tools), /delivered/)
    })
  })
})
