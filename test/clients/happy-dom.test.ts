// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "fetch": { "disableSameOriginPolicy": true } } }
import { describeClients } from './describe-clients.ts'
import { describeConcurrentTests } from './describe-concurrent-tests.ts'
import { domClients, xhrClients } from './dom-clients.ts'

describeClients(domClients)
describeConcurrentTests(xhrClients)
