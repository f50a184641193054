// Exports traces of Samespot by OpenTelemetry. Copy this file into the folder where its packages are installed, and load it with
// NODE_OPTIONS="--import=/opt/otel/tracing.mjs" (docs/operations.md, "Logs and traces"). The usual OTEL_* variables configure it.
import { register } from "node:module";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { HttpInstrumentation } from "@opentelemetry/instrumentation-http";
import { PgInstrumentation } from "@opentelemetry/instrumentation-pg";
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici";
import { NodeSDK } from "@opentelemetry/sdk-node";

// Only then can packages that Samespot imports be instrumented.
register("@opentelemetry/instrumentation/hook.mjs", import.meta.url);

/** Query strings of this interface carry tokens, client secrets and codes. */
const WITH_QUERY = ["http.url", "http.target", "url.full"];
const QUERY = ["url.query"];

function withoutQueries(span) {
  for (const name of QUERY) delete span.attributes[name];
  for (const name of WITH_QUERY) {
    const value = span.attributes[name];
    if (typeof value === "string") span.attributes[name] = value.replace(/[?#].*$/s, "");
  }
  return span;
}

class CleanExporter extends OTLPTraceExporter {
  export(spans, done) {
    super.export(spans.map(withoutQueries), done);
  }
}

process.env.OTEL_SERVICE_NAME ??= "samespot";
const sdk = new NodeSDK({
  traceExporter: new CleanExporter(),
  instrumentations: [
    new HttpInstrumentation({
      ignoreIncomingRequestHook: ({ url }) => /^\/(healthz|readyz|metrics)/.test(url ?? ""),
    }),
    new UndiciInstrumentation(),
    new PgInstrumentation({ requireParentSpan: true }),
  ],
});
sdk.start();
process.once("beforeExit", () => sdk.shutdown());
