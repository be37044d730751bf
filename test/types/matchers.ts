/** Compiled, never run: what the types of the matchers allow. */
import 'retake/matchers'
import { type Cassette, expectCassette } from 'retake/vitest'
import { expect } from 'vitest'

declare const cassette: Cassette

expectCassette(cassette).toHaveCalledTool('lookupOrder', { orderId: expect.any(String) })
expectCassette('a.cassette.json').not.toHaveToolError('refund', /declined/)
expectCassette(cassette.trace).toStayWithin({ modelCalls: 3, outputTokens: 100 })
expectCassette(cassette).toMatchTranscriptSnapshot()
// @ts-expect-error: a number of calls
expectCassette(cassette).toHaveModelCalls('3')
// @ts-expect-error: no such limit
expectCassette(cassette).toStayWithin({ tokens: 3 })
// @ts-expect-error: how a run ends
expectCassette(cassette).toHaveEndedWith('failure')
// @ts-expect-error: a snapshot has no opposite
expectCassette(cassette).not.toMatchTranscriptSnapshot()
// @ts-expect-error: neither a cassette nor a trace nor a path
expectCassette(3)

expect(cassette).toHaveCalledTools(['lookupOrder', 'refund'])
expect(cassette).not.toHaveUsedModel('gpt-5.5')
expect.soft(cassette).toHaveSentSystemPrompt(/refund agent/)
// @ts-expect-error: a name
expect(cassette).toHaveCalledTool(3)
// @ts-expect-error: a number
expect(cassette).toHaveModelCalls('3')
