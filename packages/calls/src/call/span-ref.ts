/** A reference to a span of an OpenTelemetry trace. */
export interface GenAISpanRef {
  /** Id of the trace. */
  readonly trace_id: string;
  /** Id of the span in it. */
  readonly span_id: string;
}
