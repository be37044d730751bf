const { expectCassette, useCassette } = require('retake/jest')
const { runRefundAgent } = require('../src/refund-agent.js')
const { lookupOrder, refund } = require('../src/tools.js')

test('refunds a late order', async () => {
  const cassette = useCassette()
  const tools = cassette.tools({ lookupOrder, refund })

  const answer = await runRefundAgent('Where is A-77? I want my money back.', tools)

  expect(answer).toContain('refunded')
  expectCassette(cassette).toHaveCalledTool('lookupOrder', { orderId: 'A-77' })
  expectCassette(cassette).toHaveCalledTool('refund', { orderId: 'A-77', amount: '20 €' })
  expectCassette(cassette).toHaveFinalAnswer(/20 €/)
})

test('leaves a delivered order alone', async () => {
  const cassette = useCassette()
  const tools = cassette.tools({ lookupOrder, refund })

  await runRefundAgent('I want my money back for B-12.', tools)

  expectCassette(cassette).toHaveCalledTools(['lookupOrder'])
  expectCassette(cassette).not.toHaveCalledTool('refund')
})

test('tells the customer when there is no such order', async () => {
  const cassette = useCassette()
  const tools = cassette.tools({ lookupOrder, refund })

  expect(await runRefundAgent('Where is Z-99?', tools)).toContain('no order Z-99')
})
