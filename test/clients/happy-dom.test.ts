// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "fetch": { "disableSameOriginPolicy": true } } }
import { describeClients } from './describe-clients.ts'
import { domClients } from './dom-clients.ts'

describeClients(domClients)
