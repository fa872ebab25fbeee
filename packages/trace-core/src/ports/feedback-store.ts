import type { Json } from "@assay/base";

/** What a scorer that watches calls says besides, as it sent it. */
export interface ScorerFeedback {
  /** The queue of annotations that it belongs to. */
  readonly queue_id?: string | null;
  /** Tags that it gave. */
  readonly scorer_tags?: readonly string[];
  /** Why, by tag. */
  readonly scorer_tag_reasons?: { readonly [tag: string]: string };
  /** How sure it is, by tag. */
  readonly scorer_tag_confidences?: { readonly [tag: string]: number };
  /** Ratings, by name. */
  readonly scorer_ratings?: { readonly [name: string]: number };
  /** Why, by name. */
  readonly scorer_rating_reasons?: { readonly [name: string]: string };
  /** How sure it is, by name. */
  readonly scorer_rating_confidences?: { readonly [name: string]: number };
  /** The trace of the scorer. */
  readonly scorer_trace_id?: string;
  /** The agent of the span that it is about. */
  readonly span_agent_name?: string;
  /** The version of that agent. */
  readonly span_agent_version?: string;
  /** The conversation of that span. */
  readonly span_conversation_id?: string;
  /** How that span ended. */
  readonly span_status_code?: string;
  /** The trace of that span. */
  readonly span_trace_id?: string;
}

/** What someone, or a scorer, said about a call or an object. */
export interface Feedback extends ScorerFeedback {
  /** Unique in its project. */
  readonly id: string;
  /** `entity/project`. */
  readonly project_id: string;
  /** The reference to what it is about. */
  readonly weave_ref: string;
  /** What kind of feedback: `wandb.note.1`, `wandb.runnable.<scorer>` and others. */
  readonly feedback_type: string;
  /** What it says. */
  readonly payload: Json;
  /** The name of who gave it, when the client said one. */
  readonly creator: string | null;
  /** ISO 8601. */
  readonly created_at: string;
  /** The principal who gave it. */
  readonly wb_user_id: string | null;
  /** The specification it answers to. */
  readonly annotation_ref: string | null;
  /** The scorer that gave it. */
  readonly runnable_ref: string | null;
  /** The call of that scorer. */
  readonly call_ref: string | null;
  /** What made the scorer run. */
  readonly trigger_ref: string | null;
}

/** Where feedback is kept. When the storage itself fails, it throws a `Fault`. */
export interface FeedbackStore {
  /** Adds each, in place of one with its project and id. All or none; durable when the promise resolves. */
  put(feedback: readonly Feedback[]): Promise<void>;

  /** All feedback about these references (about anything when undefined), by creation, then id, in batches. */
  scan(project: string, refs: readonly string[] | undefined): AsyncIterable<readonly Feedback[]>;

  /** Removes feedback by id. Ids that are not there are ignored. Durable when the promise resolves. */
  remove(project: string, ids: readonly string[]): Promise<void>;
}
