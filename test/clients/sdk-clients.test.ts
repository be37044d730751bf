import { describeClients } from './describe-clients.ts'
import { sdkClients } from './sdk-clients.ts'

describeClients(sdkClients)
