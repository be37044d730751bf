import { describeClients } from './describe-clients.ts'
import { httpClients } from './http-clients.ts'

describeClients(httpClients)
