// @vitest-environment jsdom
import { describeClients } from './describe-clients.ts'
import { domClients } from './dom-clients.ts'

describeClients(domClients)
