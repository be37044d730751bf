/**
 * Where the traces of agents, error reports and usage counts go: what they are sent differs from run to run, and no agent
 * depends on the answer. Requests to these are left alone, in a replay too. A host stands for all below it as well; with
 * a path, only for that path and all below it: prompts and feature flags of the same services do steer an agent.
 * docs/http.md prints this list.
 */
export const telemetryHosts: readonly string[] = [
  'api.openai.com/v1/traces/ingest',
  'api.smith.langchain.com/info',
  'api.smith.langchain.com/runs',
  'api.smith.langchain.com/otel',
  'cloud.langfuse.com/api/public/ingestion',
  'cloud.langfuse.com/api/public/otel',
  'api.braintrust.dev/logs3',
  'api.braintrust.dev/otel',
  'api.traceloop.com/v1/traces',
  'otlp.arize.com',
  'app.phoenix.arize.com/v1/traces',
  'trace.wandb.ai',
  'otlp.agentops.ai',
  'app.langwatch.ai/api/collector',
  'app.langwatch.ai/api/otel',
  'www.comet.com/opik/api',
  'logfire-api.pydantic.dev',
  'logfire-us.pydantic.dev',
  'logfire-eu.pydantic.dev',
  'ingest.sentry.io',
  'ingest.us.sentry.io',
  'ingest.de.sentry.io',
  'notify.bugsnag.com',
  'sessions.bugsnag.com',
  'api.rollbar.com/api/1/item',
  'i.posthog.com/batch',
  'i.posthog.com/capture',
  'i.posthog.com/e',
  'i.posthog.com/i/v0/e',
  'api.segment.io/v1',
  'api2.amplitude.com',
  'api.mixpanel.com/track',
  'http-intake.logs.datadoghq.com',
  'llmobs-intake.datadoghq.com',
  'instrumentation-telemetry-intake.datadoghq.com',
  'api.honeycomb.io/v1/traces',
  'api.honeycomb.io/1/batch',
  'nr-data.net',
  'telemetry.nextjs.org',
  'telemetry.vercel.com',
]

const entries = telemetryHosts.map((entry) => {
  const [host = '', ...path] = entry.split('/')
  return { host, path: ['', ...path, ''].join('/') }
})

export const isTelemetry = ({ hostname, pathname }: URL): boolean =>
  entries.some(
    ({ host, path }) => (hostname === host || hostname.endsWith(`.${host}`)) && `${pathname}/`.startsWith(path),
  )
