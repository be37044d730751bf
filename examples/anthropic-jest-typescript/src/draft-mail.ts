import Anthropic from '@anthropic-ai/sdk'

/** Writes a mail to a customer, and shows it while it is being written. */
export const draftMail = async (notes: string, onText: (text: string) => void): Promise<string> => {
  const anthropic = new Anthropic()
  const stream = anthropic.messages
    .stream({
      model: 'claude-sonnet-5-5',
      max_tokens: 400,
      system: 'You write short, friendly mails for a small shop. Write the mail only.',
      messages: [{ role: 'user', content: notes }],
    })
    .on('text', onText)
  return await stream.finalText()
}
