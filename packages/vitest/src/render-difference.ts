import type { MismatchDetails } from '@retake/session'
import type { RetakeError } from '@retake/trace'

/** The difference behind a mismatch, as Vitest prints it below the message; nothing for any other error. */
export const renderDifference = async (error: RetakeError): Promise<string | undefined> => {
  if (error.code !== 'RETAKE_CASSETTE_MISMATCH') return undefined
  const { createStyle, renderRequestDifference, renderToolDifference } = await import('@retake/report')
  // In a worker it decides about colours as Vitest itself does.
  const { default: colours } = await import('tinyrainbow')
  const style = createStyle({ colors: colours.isColorSupported })
  const { differences, recorded, received, tool, arguments: args } = error.details as Partial<MismatchDetails>
  if (!differences?.length) return undefined
  if (tool !== undefined) return renderToolDifference({ tool, ...args, differences, style })
  return recorded && received && renderRequestDifference({ recorded, received, differences, style })
}
