import { generate } from 'selfsigned'

/** A key and a certificate of its own for 127.0.0.1 and localhost, made for this run. */
export const certificate = await generate([{ name: 'commonName', value: 'localhost' }], {
  keyType: 'ec',
  algorithm: 'sha256',
})
