import { describeClients } from './describe-clients.ts'
import { httpClients } from './http-clients.ts'
import { sdkClients } from './sdk-clients.ts'

describeClients([...httpClients, ...sdkClients])
