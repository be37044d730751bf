/** A light agent: what is asked, and how, does not matter here. */
export const ask = `(content) =>
  fetch(process.env.MODEL_URL + '/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
    body: JSON.stringify({ model: 'gpt-5.5', messages: [{ role: 'user', content }] }),
  }).then((reply) => reply.json())`

/** What the tests are like is chosen by words in FORM; `useCassette` and `ask` are there. */
export const obsoleteHead = `const is = (word) => (process.env.FORM ?? '').split(' ').includes(word)
const asks = (options) => async () => {
  useCassette(options)
  await ask('Hello')
}
`

/** Tests whose cassettes become obsolete, by the name of their file; `renamed` is what the first is called then. */
export const obsoleteTests = (renamed: string) => ({
  a: `test(is('renamed') ? '${renamed}' : 'one', asks())
if (!is('without-two')) (is('skip-two') ? test.skip : test)('two', asks())
test('twin', asks())
if (!is('without-twin')) test('twin', asks())
describe('named', () => {
  test('by hand', asks(is('unnamed') ? { name: 'other' } : { name: 'chosen' }))
})
;(is('only') ? test.only : test)('uses none', () => {
  if (is('failing')) expect(1).toBe(2)
})
`,
  b: `if (is('broken')) throw new Error('cannot be loaded')
test('alpha', asks())
test('beta', is('plain-beta') ? () => {} : asks())
`,
  c: "test('gamma', asks())",
})
