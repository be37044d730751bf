import tls from 'node:tls'
import { generate } from 'selfsigned'

/** A key and a certificate of its own for 127.0.0.1 and localhost, made for this run. */
const made = await generate([{ name: 'commonName', value: 'localhost' }], { keyType: 'ec', algorithm: 'sha256' })

export const certificate = { key: made.private, cert: made.cert }

/** From now on this process trusts the certificate. */
export const trustCertificate = (): void =>
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate.cert])
