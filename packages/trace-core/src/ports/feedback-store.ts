import type { Json } from "@assay/base";

/** Further results of a scorer that monitors calls, as it sent them. */
export interface ScorerFeedback {
  /** The annotation queue that it belongs to. */
  readonly queue_id?: string | null;
  /** Its tags. */
  readonly scorer_tags?: readonly string[];
  /** The reason for each tag. */
  readonly scorer_tag_reasons?: { readonly [tag: string]: string };
  /** The confidence in each tag. */
  readonly scorer_tag_confidences?: { readonly [tag: string]: number };
  /** Ratings, by name. */
  readonly scorer_ratings?: { readonly [name: string]: number };
  /** The reason for each rating. */
  readonly scorer_rating_reasons?: { readonly [name: string]: string };
  /** The confidence in each rating. */
  readonly scorer_rating_confidences?: { readonly [name: string]: number };
  /** The trace of the scorer. */
  readonly scorer_trace_id?: string;
  /** The agent of the rated span. */
  readonly span_agent_name?: string;
  /** The version of that agent. */
  readonly span_agent_version?: string;
  /** The conversation of that span. */
  readonly span_conversation_id?: string;
  /** The status of that span. */
  readonly span_status_code?: string;
  /** The trace of that span. */
  readonly span_trace_id?: string;
}

/** Feedback of a person or a scorer about a call or an object. */
export interface Feedback extends ScorerFeedback {
  /** Unique in its project. */
  readonly id: string;
  /** `entity/project`. */
  readonly project_id: string;
  /** The reference to the call or object. */
  readonly weave_ref: string;
  /** The type of feedback: `wandb.note.1`, `wandb.runnable.<scorer>` and others. */
  readonly feedback_type: string;
  /** Its content. */
  readonly payload: Json;
  /** The author's name, if the client sent one. */
  readonly creator: string | null;
  /** ISO 8601. */
  readonly created_at: string;
  /** The principal who created it. */
  readonly wb_user_id: string | null;
  /** The annotation specification it follows. */
  readonly annotation_ref: string | null;
  /** The scorer that created it. */
  readonly runnable_ref: string | null;
  /** The call of that scorer. */
  readonly call_ref: string | null;
  /** What triggered the scorer. */
  readonly trigger_ref: string | null;
}

/** Where feedback is kept. Throws a `Fault` when the storage itself fails. */
export interface FeedbackStore {
  /** Adds all of them or none, each replacing one with the same project and ID. Durable when the promise resolves. */
  put(feedback: readonly Feedback[]): Promise<void>;

  /** All feedback about these references (about anything if undefined), by creation, then ID, in batches. */
  scan(project: string, refs: readonly string[] | undefined): AsyncIterable<readonly Feedback[]>;

  /** Removes feedback by ID. Unknown IDs are ignored. Durable when the promise resolves. */
  remove(project: string, ids: readonly string[]): Promise<void>;
}
