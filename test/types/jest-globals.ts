import { expect, test } from '@jest/globals'
import { expectCassette, useCassette, withRetake } from 'retake/jest'
import 'retake/matchers'

test('types of retake under @jest/globals', async () => {
  const cassette = useCassette({ name: 'x' })
  const tools = cassette.tools({ lookup: async ({ id }: { id: string }) => ({ id }) })
  const found: { id: string } = await tools.lookup({ id: 'A-77' })
  expectCassette(cassette).toHaveCalledTool('lookup', found)
  expectCassette(cassette).not.toHaveFinalAnswer(/x/)
  expect(cassette).toHaveCalledTool('lookup', { id: expect.any(String) })
  expect(cassette).not.toStayWithin({ modelCalls: 1 })
  // @ts-expect-error the name is a text
  expect(cassette).toHaveCalledTool(1)
  // @ts-expect-error there is no such option
  useCassette({ nmae: 'x' })
})

class Mine {
  global = globalThis
  async setup(): Promise<void> {}
  async teardown(): Promise<void> {}
}
export const Environment: typeof Mine = withRetake(Mine)
