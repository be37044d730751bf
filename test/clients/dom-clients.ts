import OpenAI from 'openai'
import { sendBy, sendByAxios } from './http-clients.ts'
import { openaiChat } from './sdk-clients.ts'
import { headers, overChat, type Send, type TestClient } from './test-client.ts'

const sendByXhr: Send = (url, body) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.onload = () => resolve(request.responseText)
    request.onerror = () => reject(new Error('XMLHttpRequest failed'))
    request.send(body)
  })

/** What only a page has. A page has another origin than its provider, so the provider is asked whether it may send. */
export const xhrClients: TestClient[] = [
  overChat('XMLHttpRequest', () => sendByXhr),
  overChat('axios over XMLHttpRequest', () => sendByAxios({ adapter: 'xhr' })),
]

/** What an agent in a page uses. */
export const domClients: TestClient[] = [
  ...xhrClients,
  overChat('axios over node:http', () => sendByAxios({ adapter: 'http' })),
  overChat('fetch', () => sendBy(globalThis.fetch)),
  openaiChat('openai', OpenAI),
]
