import { expect, test } from '@jest/globals'
import { expectCassette, useCassette } from 'retake/jest'
import { draftMail } from '../src/draft-mail.ts'

test('shows the mail while it is written', async () => {
  const cassette = useCassette()
  let shown = ''

  const mail = await draftMail('To Kim: A-77 was five days late, 20 € are on their way back.', (text) => {
    shown += text
  })

  expect(shown).toBe(mail)
  expect(mail).toMatch(/^Hi Kim/)
  expectCassette(cassette).toHaveModelCalls(1)
})
