// biome-ignore-all lint/suspicious/noExplicitAny: a member that the document does not name may be anything.
// Generated from the OpenAPI document by npm run client: the request and response types of each operation. Do not edit.

import type { Json } from "@assay/base";
import type { Bytes, Streamed } from "./bytes.ts";

/** Request and response types, by their names in the OpenAPI document. */
export interface Schemas {
  /** `Alias` of the OpenAPI document. */
  readonly Alias: {
    /** An alias of a checkpoint, such as best. */
    readonly alias: string;
    /** Whether the smallest or the largest value of the metric is chosen; null without a metric. */
    readonly goal: ("max" | "min") | null;
    /** The metric by which an alias chooses its checkpoint; null when it is set by hand. */
    readonly metric: string | null;
    /** The training step; null without one. */
    readonly step: number;
  };
  /** `AliasList` of the OpenAPI document. */
  readonly AliasList: {
    /** The items. */
    readonly data: readonly Schemas["Alias"][];
    /**
     * The kind of this object.
     */
    readonly object: "list";
  };
  /** A step, or a metric whose best checkpoint the alias follows. */
  readonly AliasTarget: {
    /**
     * Which value is best; default max.
     */
    readonly goal?: "max" | "min";
    /** The metric by which an alias chooses its checkpoint; null when it is set by hand. */
    readonly metric?: string;
    /** The training step; null without one. */
    readonly step?: number;
  } & (unknown | unknown);
  /**
   * AndOperation
   * True when all are true. An operand that is not a condition is read as a boolean.
   */
  readonly AndOperation: {
    /** All of these hold. */
    readonly $and: readonly Schemas["Operand"][];
  };
  /** The headers of `cancel_fine_tuning_job`. */
  readonly "cancel_fine_tuning_job.header": {
    /** The project, as team/project, which clients send as their project option. Default: the only project of the key, or default/fine-tuning; lists then cover every project of the key. */
    readonly "OpenAI-Project"?: string;
  };
  /** `ChatCompletion` of the OpenAPI document. */
  readonly ChatCompletion: {
    /** The answers. */
    readonly choices: readonly {
      /** Why it ended: `stop`, `length`, `tool_calls`, or the engine's own reason. */
      readonly finish_reason: string | null;
      /** Its index among the answers. */
      readonly index: number;
      /**
       * Log-probabilities of the tokens, if you asked for them.
       */
      readonly logprobs?: Json;
      /** The model's answer. */
      readonly message: {
        /** The text; null when the model only calls tools. */
        readonly content: string | null;
        /**
         * The role of the message's author.
         */
        readonly role: "assistant";
      };
    }[];
    /** When it was created. */
    readonly created: number;
    /** The id of the answer; its prefix shows the kind. */
    readonly id: string;
    /** The model, as named in the request. */
    readonly model: string;
    /**
     * The kind of this object.
     */
    readonly object: "chat.completion";
    /** The tokens that were used. */
    readonly usage: {
      /** Tokens of the answer. */
      readonly completion_tokens: number;
      /** Present when the engine did not count all tokens; an answer that is not streamed also has the header `x-usage: estimated`. */
      readonly estimated?: boolean;
      /** Tokens of the prompt. */
      readonly prompt_tokens: number;
      /** Tokens of both together; null when unknown. */
      readonly total_tokens: number;
    };
  };
  /** `ChatCompletionRequest` of the OpenAPI document. */
  readonly ChatCompletionRequest: {
    /** The conversation so far. */
    readonly messages: readonly ({
      /** The role of the message's author. */
      readonly role: string;
    } & {
      readonly [key: string]: any;
    })[];
    /** An id of the model list, or wandb-artifact:///entity/project/name:stepN. */
    readonly model: string;
    /** Whether to stream the answer as server-sent events; false by default. */
    readonly stream?: boolean | null;
  } & {
    readonly [key: string]: any;
  };
  /** `ChatProblem` of the OpenAPI document. */
  readonly ChatProblem: {
    /**
     * A sentence, or a list of what is wrong.
     */
    readonly detail: Json;
    /** The error; null without one. */
    readonly error: {
      /** A code for programs; null without one. */
      readonly code: string | null;
      /** A sentence, or a message of the conversation. */
      readonly message: string;
      /** The invalid parameter; null if it is not about one. */
      readonly param: string | null;
      /** The kind. */
      readonly type: string;
    };
  };
  /** `Checkpoint` of the OpenAPI document. */
  readonly Checkpoint: {
    /**
     * Format: uuid
     * The id.
     */
    readonly id: string;
    /** Numbers by name. */
    readonly metrics: {
      readonly [key: string]: number;
    };
    /** The training step; null without one. */
    readonly step: number;
  };
  /** `CheckpointDetails` of the OpenAPI document. */
  readonly CheckpointDetails: {
    /** The model that training starts from. */
    readonly base_model: string;
    /** The checkpoint that this one has its files from; null when they are its own. */
    readonly copy_of: {
      /**
       * Format: uuid
       * The id of the model.
       */
      readonly model_id?: string;
      /** The training step; null without one. */
      readonly step?: number;
    } | null;
    /**
     * Format: date-time
     * When it was created.
     */
    readonly created_at: string;
    /** The files of the checkpoint. */
    readonly files: readonly {
      /** The name. */
      readonly name: string;
      /** The path. */
      readonly path: string;
      /** The SHA-256 of the content, in hexadecimal digits. */
      readonly sha256: string;
      /** Bytes. */
      readonly size: number;
    }[];
    /**
     * Format: uuid
     * The id.
     */
    readonly id: string;
    /** Numbers by name. */
    readonly metrics: {
      readonly [key: string]: number;
    };
    /**
     * Format: uuid
     * The id of the model.
     */
    readonly model_id: string;
    /** The checkpoint that training continues from; null for the base model. */
    readonly parent_step: number;
    /** The training step; null without one. */
    readonly step: number;
    /** The data that it was trained on; null when unknown. */
    readonly training_data: {
      /** The SHA-256 of the content, in hexadecimal digits. */
      readonly sha256?: string;
      /** The address. */
      readonly url?: string;
    } | null;
    /** The id of the training job. */
    readonly training_job_id: string | null;
  };
  /** `CheckpointList` of the OpenAPI document. */
  readonly CheckpointList: {
    /** The items. */
    readonly data: readonly Schemas["Checkpoint"][];
    /** The id of the first item; null when there is none. */
    readonly first_id: string;
    /** Whether more items follow. */
    readonly has_more: boolean;
    /** The id of the last item, for requesting the items after it. */
    readonly last_id: string;
    /**
     * The kind of this object.
     */
    readonly object: "list";
  };
  /**
   * ContainsOperation
   * True when the text of `input` contains that of `substr`.
   */
  readonly ContainsOperation: {
    /** The text of one operand is part of that of the other. */
    readonly $contains: {
      /**
       * Whether to ignore case; false by default.
       * @default false
       */
      readonly case_insensitive?: boolean | null;
      /** The inputs of the operation or the model. */
      readonly input: Schemas["Operand"];
      /** The text to look for. */
      readonly substr: Schemas["Operand"];
    };
  };
  /**
   * ConvertOperation
   * The input as another type; null when it cannot be converted.
   */
  readonly ConvertOperation: {
    /** An operand and the type that it is cast to. */
    readonly $convert: {
      /** The inputs of the operation or the model. */
      readonly input: Schemas["Operand"];
      /**
       * The type that the operand is cast to.
       */
      readonly to: "double" | "string" | "int" | "bool" | "exists";
    };
  };
  /** The headers of `create_file`. */
  readonly "create_file.header": {
    /** The project, as team/project, which clients send as their project option. Default: the only project of the key, or default/fine-tuning; lists then cover every project of the key. */
    readonly "OpenAI-Project"?: string;
  };
  /** The headers of `create_fine_tuning_job`. */
  readonly "create_fine_tuning_job.header": {
    /** The project, as team/project, which clients send as their project option. Default: the only project of the key, or default/fine-tuning; lists then cover every project of the key. */
    readonly "OpenAI-Project"?: string;
  };
  /** The headers of `create_model`. */
  readonly "create_model.header": {
    /** Repeating a request with the same key changes nothing and returns the same answer. */
    readonly "Idempotency-Key"?: string;
  };
  /** The headers of `create_rl_training_job`. */
  readonly "create_rl_training_job.header": {
    /** Repeating a request with the same key changes nothing and returns the same answer. */
    readonly "Idempotency-Key"?: string;
  };
  /** The headers of `create_sft_training_job`. */
  readonly "create_sft_training_job.header": {
    /** Repeating a request with the same key changes nothing and returns the same answer. */
    readonly "Idempotency-Key"?: string;
  };
  /** The body of `createDataset`. */
  readonly "createDataset.body": {
    /** The author's description; null without one. */
    readonly description?: string | null;
    /** The name. */
    readonly name?: string | null;
    /** Rows, or their number. */
    readonly rows: readonly {
      readonly [key: string]: any;
    }[];
  };
  /** The headers of `createDataset`. */
  readonly "createDataset.header": {
    /** Repeating a request with the same key changes nothing and returns the same answer. */
    readonly "Idempotency-Key"?: string;
  };
  /** `CreatedDataset` of the OpenAPI document. */
  readonly CreatedDataset: {
    /** The digest of the content. */
    readonly digest: string;
    /** The id of the object, the same in all of its versions. */
    readonly object_id: string;
    /** The number of the version; the first is 0. */
    readonly version_index: number;
  };
  /** `CreatedEvaluationObject` of the OpenAPI document. */
  readonly CreatedEvaluationObject: {
    /** The digest of the content. */
    readonly digest: string;
    /** The reference of the evaluation object; null when unknown. */
    readonly evaluation_ref: string;
    /** The id of the object, the same in all of its versions. */
    readonly object_id: string;
    /** The number of the version; the first is 0. */
    readonly version_index: number;
  };
  /** `CreatedEvaluationRun` of the OpenAPI document. */
  readonly CreatedEvaluationRun: {
    /** The id of the evaluation run. */
    readonly evaluation_run_id: string;
  };
  /** `CreatedModelObject` of the OpenAPI document. */
  readonly CreatedModelObject: {
    /** The digest of the content. */
    readonly digest: string;
    /** The reference of the model; null when unknown. */
    readonly model_ref: string;
    /** The id of the object, the same in all of its versions. */
    readonly object_id: string;
    /** The number of the version; the first is 0. */
    readonly version_index: number;
  };
  /** `CreatedPrediction` of the OpenAPI document. */
  readonly CreatedPrediction: {
    /** The id of the prediction. */
    readonly prediction_id: string;
  };
  /** `CreatedScore` of the OpenAPI document. */
  readonly CreatedScore: {
    /** The id of the score. */
    readonly score_id: string;
  };
  /** `CreatedScorer` of the OpenAPI document. */
  readonly CreatedScorer: {
    /** The digest of the content. */
    readonly digest: string;
    /** The id of the object, the same in all of its versions. */
    readonly object_id: string;
    /** The reference of the scorer. */
    readonly scorer: string;
    /** The number of the version; the first is 0. */
    readonly version_index: number;
  };
  /** The body of `createEvaluationObject`. */
  readonly "createEvaluationObject.body": {
    /** The dataset of the rows; null when unknown. */
    readonly dataset: string;
    /** The author's description; null without one. */
    readonly description?: string | null;
    /** Attributes of the evaluation, set by its author. */
    readonly eval_attributes?: {
      readonly [key: string]: any;
    } | null;
    /** The name of the evaluation. */
    readonly evaluation_name?: string | null;
    /** The name. */
    readonly name: string;
    /** References of the scorers, or their names. */
    readonly scorers?: readonly string[] | null;
    /** Trials, or their number. A row has one or several. */
    readonly trials?: number;
  };
  /** The headers of `createEvaluationObject`. */
  readonly "createEvaluationObject.header": {
    /** Repeating a request with the same key changes nothing and returns the same answer. */
    readonly "Idempotency-Key"?: string;
  };
  /** The body of `createEvaluationRun`. */
  readonly "createEvaluationRun.body": {
    /** A display name; null without one. */
    readonly display_name?: string | null;
    /** The reference of the evaluation. */
    readonly evaluation: string;
    /** The name or the reference of the model. */
    readonly model: string;
    /** The run that this one was created from; null without one. */
    readonly source_evaluation_run_id?: string | null;
  };
  /** The headers of `createEvaluationRun`. */
  readonly "createEvaluationRun.header": {
    /** Repeating a request with the same key changes nothing and returns the same answer. */
    readonly "Idempotency-Key"?: string;
  };
  /** The body of `createModelObject`. */
  readonly "createModelObject.body": {
    /** Attributes, set by the author. */
    readonly attributes?: {
      readonly [key: string]: any;
    } | null;
    /** The author's description; null without one. */
    readonly description?: string | null;
    /** The name. */
    readonly name: string;
    /** The source of the model. */
    readonly source_code: string;
  };
  /** The headers of `createModelObject`. */
  readonly "createModelObject.header": {
    /** Repeating a request with the same key changes nothing and returns the same answer. */
    readonly "Idempotency-Key"?: string;
  };
  /** The body of `createPrediction`. */
  readonly "createPrediction.body": {
    /** When it ended, as RFC 3339; null while it runs. */
    readonly ended_at?: string | null;
    /** The id of the evaluation run. */
    readonly evaluation_run_id?: string | null;
    /** The error of the call; null without one. */
    readonly exception?: string | null;
    /** The OpenTelemetry span of the trial; null when it has none. */
    readonly genai_span_ref?:
      | readonly {
          /** The id of the span. */
          readonly span_id: string;
          /** The id of the trace. */
          readonly trace_id: string;
        }[]
      | null;
    /** The inputs of the call or the model. */
    readonly inputs: {
      readonly [key: string]: any;
    };
    /** The name or the reference of the model. */
    readonly model: string;
    /** The output; null if it failed. */
    readonly output: unknown;
    /** When it started, as RFC 3339; null if unknown. */
    readonly started_at?: string | null;
    /** The summary; null when there is none. */
    readonly summary?: {
      readonly [key: string]: any;
    } | null;
  };
  /** The headers of `createPrediction`. */
  readonly "createPrediction.header": {
    /** Repeating a request with the same key changes nothing and returns the same answer. */
    readonly "Idempotency-Key"?: string;
  };
  /** The body of `createScore`. */
  readonly "createScore.body": {
    /** The id of the evaluation run. */
    readonly evaluation_run_id?: string | null;
    /** The id of the prediction. */
    readonly prediction_id: string;
    /** The reference of the scorer. */
    readonly scorer: string;
    /** The value. */
    readonly value: unknown;
  };
  /** The headers of `createScore`. */
  readonly "createScore.header": {
    /** Repeating a request with the same key changes nothing and returns the same answer. */
    readonly "Idempotency-Key"?: string;
  };
  /** The body of `createScorer`. */
  readonly "createScorer.body": {
    /** The author's description; null without one. */
    readonly description?: string | null;
    /** The name. */
    readonly name: string;
    /** The source of the operation. */
    readonly op_source_code: string;
  };
  /** The headers of `createScorer`. */
  readonly "createScorer.header": {
    /** Repeating a request with the same key changes nothing and returns the same answer. */
    readonly "Idempotency-Key"?: string;
  };
  /** `Dataset` of the OpenAPI document. */
  readonly Dataset: {
    /**
     * Format: date-time
     * When it was created.
     */
    readonly created_at: string;
    /** The author's description; null without one. */
    readonly description: string | null;
    /** The digest of the content. */
    readonly digest: string;
    /** The name. */
    readonly name: string;
    /** The id of the object, the same in all of its versions. */
    readonly object_id: string;
    /** A reference to the table of rows. */
    readonly rows: string;
    /** The number of the version; the first is 0. */
    readonly version_index: number;
  };
  /** The headers of `delete_file`. */
  readonly "delete_file.header": {
    /** The project, as team/project, which clients send as their project option. Default: the only project of the key, or default/fine-tuning; lists then cover every project of the key. */
    readonly "OpenAI-Project"?: string;
  };
  /** `Deleted` of the OpenAPI document. */
  readonly Deleted: {
    /** How many were deleted. */
    readonly num_deleted: number;
  };
  /** `DeletedAlias` of the OpenAPI document. */
  readonly DeletedAlias: {
    /** An alias of a checkpoint, such as best. */
    readonly alias: string;
    /**
     * Whether it was deleted, or the deleted items.
     */
    readonly deleted: true;
  };
  /** The query parameters of `deleteDataset`. */
  readonly "deleteDataset.query": {
    /** Repeat it for each. */
    readonly digests?: readonly string[];
  };
  /** `DeletedCheckpoints` of the OpenAPI document. */
  readonly DeletedCheckpoints: {
    /** How many were deleted. */
    readonly deleted_count: number;
    /** Steps that have no checkpoint. */
    readonly not_found_steps: readonly number[];
  };
  /** A file that is deleted. */
  readonly DeletedFile: {
    /**
     * Whether it was deleted, or the deleted items.
     */
    readonly deleted: true;
    /** The id. */
    readonly id: string;
    /**
     * The kind of this object.
     */
    readonly object: "file";
  };
  /** `DeletedInferenceModel` of the OpenAPI document. */
  readonly DeletedInferenceModel: {
    /**
     * Whether it was deleted, or the deleted items.
     */
    readonly deleted: true;
    /** The id. */
    readonly id: string;
    /**
     * The kind of this object.
     */
    readonly object: "model";
  };
  /** `DeletedModel` of the OpenAPI document. */
  readonly DeletedModel: {
    /** How many checkpoints were deleted. */
    readonly deleted_checkpoints: number;
    /** Whether the run was deleted. */
    readonly deleted_run: boolean;
    /**
     * Format: uuid
     * The id of the model.
     */
    readonly model_id: string;
  };
  /** `DeletedResponse` of the OpenAPI document. */
  readonly DeletedResponse: {
    /**
     * Whether it was deleted, or the deleted items.
     */
    readonly deleted: true;
    /** The id. */
    readonly id: string;
    /**
     * The kind of this object.
     */
    readonly object: "response";
  };
  /** The answer of `deleteEvaluation`. */
  readonly "deleteEvaluation.answer": {
    /** Versions of their artifacts, in the whole project. */
    readonly artifacts?: number;
    /** The calls, or their number. */
    readonly calls: number;
    /** Parts of the database's tables that still hold it on disk; absent when the store has no parts. */
    readonly old_parts?: number;
    /** Rows, or their number. */
    readonly rows: number;
    /** Runs that W&B's clients logged: those of the whole project. */
    readonly runs?: number;
  };
  /** The query parameters of `deleteEvaluationObject`. */
  readonly "deleteEvaluationObject.query": {
    /** Repeat it for each. */
    readonly digests?: readonly string[];
  };
  /** The query parameters of `deleteEvaluationRun`. */
  readonly "deleteEvaluationRun.query": {
    /** Repeat it for each. */
    readonly evaluation_run_ids?: readonly string[];
  };
  /** The answer of `deleteEvaluations`. */
  readonly "deleteEvaluations.answer": {
    /** Versions of their artifacts, in the whole project. */
    readonly artifacts?: number;
    /** The calls, or their number. */
    readonly calls: number;
    /** Parts of the database's tables that still hold it on disk; absent when the store has no parts. */
    readonly old_parts?: number;
    /** Rows, or their number. */
    readonly rows: number;
    /** Runs that W&B's clients logged: those of the whole project. */
    readonly runs?: number;
  };
  /** The query parameters of `deleteEvaluations`. */
  readonly "deleteEvaluations.query": {
    /** An evaluation to delete; may be given again. */
    readonly evaluation: readonly string[];
  };
  /** The query parameters of `deleteModelObject`. */
  readonly "deleteModelObject.query": {
    /** Repeat it for each. */
    readonly digests?: readonly string[];
  };
  /** The query parameters of `deletePrediction`. */
  readonly "deletePrediction.query": {
    /** Repeat it for each. */
    readonly prediction_ids?: readonly string[];
  };
  /** The answer of `deleteProject`. */
  readonly "deleteProject.answer": {
    /** Versions of their artifacts, in the whole project. */
    readonly artifacts?: number;
    /** The calls, or their number. */
    readonly calls: number;
    /** Parts of the database's tables that still hold it on disk; absent when the store has no parts. */
    readonly old_parts?: number;
    /** Rows, or their number. */
    readonly rows: number;
    /** Runs that W&B's clients logged: those of the whole project. */
    readonly runs?: number;
  };
  /** The query parameters of `deleteScore`. */
  readonly "deleteScore.query": {
    /** Repeat it for each. */
    readonly score_ids?: readonly string[];
  };
  /** The query parameters of `deleteScorer`. */
  readonly "deleteScorer.query": {
    /** Repeat it for each. */
    readonly digests?: readonly string[];
  };
  /** Why a request was not answered. */
  readonly Detail: {
    /** The problem: a sentence, or a list with the path of each error. */
    readonly detail: string;
  };
  /** The headers of `download_file`. */
  readonly "download_file.header": {
    /** The project, as team/project, which clients send as their project option. Default: the only project of the key, or default/fine-tuning; lists then cover every project of the key. */
    readonly "OpenAI-Project"?: string;
  };
  /** `EmbeddingList` of the OpenAPI document. */
  readonly EmbeddingList: {
    /** The items. */
    readonly data: readonly {
      /** The vector. */
      readonly embedding: readonly number[] | string;
      /** The place, counted from 0. */
      readonly index: number;
      /**
       * The kind of this object.
       */
      readonly object: "embedding";
    }[];
    /** The name or the reference of the model. */
    readonly model: string;
    /**
     * The kind of this object.
     */
    readonly object: "list";
    /** The tokens that were used. */
    readonly usage: {
      /** Present when the engine did not count all tokens; an answer that is not streamed also has the header `x-usage: estimated`. */
      readonly estimated?: boolean;
      /** Tokens of the prompt. */
      readonly prompt_tokens: number;
      /** Tokens of both together; null when unknown. */
      readonly total_tokens: number;
    };
  };
  /** `EmbeddingRequest` of the OpenAPI document. */
  readonly EmbeddingRequest: {
    /** The length of the vector; the model's own by default. */
    readonly dimensions?: number | null;
    /**
     * Whether vectors are numbers or base64; float by default.
     */
    readonly encoding_format?: "float" | "base64" | null;
    /** A text, its tokens, or a list of up to 2048 texts or lists of tokens. */
    readonly input: string | readonly string[] | readonly number[] | readonly (readonly number[])[];
    /** The name or the reference of the model. */
    readonly model: string;
    /** Whether to stream the answer as server-sent events; false by default. */
    readonly stream?: false | null;
    /** The end user, as the caller names users; null without one. */
    readonly user?: string | null;
  } & {
    readonly [key: string]: any;
  };
  /**
   * EqOperation
   * True when both are equal. A literal decides how the other side is read.
   */
  readonly EqOperation: {
    /** The two operands are equal. */
    readonly $eq: readonly [Schemas["Operand"], Schemas["Operand"]];
  };
  /** How many rows changed in which way, before `change`: a page with that `change` has exactly this number. Those of a comparison are null without a baseline. */
  readonly EvalResultsChangeCounts: {
    /** All selected rows. */
    readonly all: number;
    /** Rows on which the candidate is better. */
    readonly better: number | null;
    /** Rows on which some candidate is worse or better. */
    readonly changed: number | null;
    /** Rows on which every value is known and equal. */
    readonly equal: number | null;
    /** Rows whose trials disagree within one of the compared evaluations. */
    readonly flaky: number;
    /** Rows for which a compared evaluation has no value. */
    readonly missing: number;
    /** Rows on which some candidate is worse than the baseline. */
    readonly worse: number | null;
  };
  /** The headers of `evalResultsCompare`. */
  readonly "evalResultsCompare.header": {
    /** `notes` adds a member `notes` to the answer: a list of names in the question that match nothing, each with `about`, `name`, `nearest` and `message`. */
    readonly Prefer?: string;
  };
  /** `EvalResultsCompareBody` of the OpenAPI document. */
  readonly EvalResultsCompareBody: {
    /**
     * How p-values are adjusted for multiple testing. `holm` when not given, but `bh` when no measures are named.
     */
    readonly adjustment?: "holm" | "bh" | "none" | null;
    /**
     * Whether intervals are valid at any time during a running evaluation. `auto`: when one has not ended.
     * @default auto
     */
    readonly anytime?: "auto" | boolean | null;
    /**
     * The number of rows at which such an interval is tightest.
     * @default 500
     */
    readonly anytime_rows?: number | null;
    /** One of the query's evaluations; all others are candidates. */
    readonly baseline: string;
    /**
     * A field of the row (`inputs.…`): rows with the same value are one cluster.
     * @default null
     */
    readonly cluster_by?: string | null;
    /**
     * Which values are better. Default: the project's direction of the measure, else the one that its name implies (model_latency_seconds and total_tokens: `lower`), else `higher` for true and false. Other numbers have no direction, and no verdict.
     */
    readonly direction?: "higher" | "lower" | null;
    /**
     * `bootstrap` resamples rows, or clusters; `auto` chooses by the kind of values.
     * @default auto
     */
    readonly interval?: "auto" | "bootstrap" | null;
    /**
     * The confidence of intervals.
     * @default 0.95
     */
    readonly level?: number | null;
    /**
     * The margin of measures that give none.
     * @default 0
     */
    readonly margin?: number | null;
    /**
     * The measures; null for all score leaves.
     * @default null
     */
    readonly measures?:
      | readonly (
          | string
          | {
              /**
               * Which values are better. Default: the project's direction of the measure, else the one that its name implies (model_latency_seconds and total_tokens: `lower`), else `higher` for true and false. Other numbers have no direction, and no verdict.
               */
              readonly direction?: "higher" | "lower" | null;
              /** `scores.<path>`, model_latency_seconds or total_tokens. */
              readonly field: string;
              /**
               * The smallest difference that matters, in the measure's unit.
               * @default 0
               */
              readonly margin?: number | null;
              /**
               * How a row's trials become one value. `mean`, `max`, `min` and `median` are of any numbers; `any`, `all`, `majority`, `pass@k` (the chance that some of k trials passes) and `pass^k` (that all do) are of true and false, k up to 10,000.
               * @default mean
               */
              readonly reduce?: string | null;
            }
        )[]
      | null;
    /**
     * How a row without a known value counts: not at all, or (for measures of true and false) as failed.
     * @default exclude
     */
    readonly missing?: "exclude" | "fail" | null;
    /** The query that selects the rows, and whose evaluations are compared. Its paging, sorting and parts of the response are ignored. */
    readonly query: Schemas["EvalResultsQueryBody"];
    /**
     * The reducer of measures that give none.
     * @default mean
     */
    readonly reduce?: string | null;
    /**
     * Seed of the bootstrap.
     * @default 0
     */
    readonly seed?: number | null;
  };
  /** The answer to a comparison. */
  readonly EvalResultsCompareRes: {
    /**
     * How p-values were adjusted.
     */
    readonly adjustment: "holm" | "bh" | "none";
    /** The baseline. */
    readonly baseline: string;
    /** One for each candidate, in request order. */
    readonly comparisons: readonly {
      /** The candidate. */
      readonly candidate: string;
      /** Its measures, in the requested order, or by field. */
      readonly measures: readonly Schemas["EvalResultsMeasure"][];
    }[];
    /** The confidence of intervals. */
    readonly level: number;
    /** Selected rows. */
    readonly row_count: number;
    /** Warnings that limit what the numbers mean. */
    readonly warnings: readonly Schemas["EvalResultsStatisticsWarning"][];
  };
  /** One evaluation in a summary. */
  readonly EvalResultsEvaluationSummary: {
    /** A display name; null without one. */
    readonly display_name: string | null;
    /** The id of the evaluation's root call. */
    readonly evaluation_call_id: string;
    /** The reference of the evaluation object; null when unknown. */
    readonly evaluation_ref: string | null;
    /** The reference of the model; null when unknown. */
    readonly model_ref: string | null;
    /** With include_costs: the sum of total_cost over the trials of the summary, in US dollars; null when none has one. */
    readonly predict_total_cost?: number | null;
    /** Tokens that the model used; null when no trial reports any. */
    readonly predict_total_tokens: number | null;
    /** The statistics of each score dimension. */
    readonly scorer_stats: readonly Schemas["EvalResultsScorerStats"][];
    /**
     * Format: date-time
     * When it started, as RFC 3339; null if unknown.
     */
    readonly started_at: string | null;
    /** The id of the trace. */
    readonly trace_id: string | null;
    /** Trials that are counted here. */
    readonly trial_count: number;
  };
  /** The query parameters of `evalResultsExport`. */
  readonly "evalResultsExport.query": {
    /**
     * The format of the answer.
     * @default csv
     */
    readonly format?: "csv" | "parquet" | "jsonl" | "html";
    /**
     * For a file: how much of the outputs to include: full, none, or a number of characters of each text.
     * @default full
     */
    readonly outputs?: string;
    /** For a file: fields (`inputs.…`, `outputs.…`, `scores.…`) whose values are replaced, wherever they occur. */
    readonly redact?: readonly string[];
  };
  /** A field. */
  readonly EvalResultsField: {
    /** Rows or trials with a value. */
    readonly count: number;
    /** The field as written in a query. */
    readonly field: string;
    /** The largest number; null without any. */
    readonly max: number | null;
    /** The smallest number; null without any. */
    readonly min: number | null;
    /** The types of the values. */
    readonly types: readonly ("boolean" | "number" | "string" | "array")[];
    /** Up to 20, the most frequent first; empty when values hardly repeat. */
    readonly values: readonly {
      /** The number of them. */
      readonly count: number;
      /** The value. */
      readonly value: string | number | boolean;
    }[];
  };
  /** The headers of `evalResultsFields`. */
  readonly "evalResultsFields.header": {
    /** `notes` adds a member `notes` to the answer: a list of names in the question that match nothing, each with `about`, `name`, `nearest` and `message`. */
    readonly Prefer?: string;
  };
  /** `EvalResultsFieldsBody` of the OpenAPI document. */
  readonly EvalResultsFieldsBody: {
    /** The ids of the evaluations, each at most once. */
    readonly evaluation_call_ids: readonly string[];
  };
  /** The available fields. */
  readonly EvalResultsFieldsRes: {
    /** Fields of the row, of all rows. */
    readonly inputs: readonly Schemas["EvalResultsField"][];
    /** The sampled trials: the first of each of the first thousand rows of an evaluation. */
    readonly looked_at: number;
    /** Of the sampled trials. */
    readonly outputs: readonly Schemas["EvalResultsField"][];
    /** Rows, or their number. */
    readonly rows: number;
    /** Leaves with numbers or booleans of all rows, and texts of the sampled trials. */
    readonly scores: readonly Schemas["EvalResultsField"][];
  };
  /** A group of rows. */
  readonly EvalResultsGroup: {
    /** The differences to the baseline; null without one. */
    readonly differences:
      | readonly {
          /** The id of the evaluation's root call. */
          readonly evaluation_call_id: string;
          /** The measures. */
          readonly measures: readonly {
            /** The mean difference, candidate minus baseline; null without pairs. */
            readonly difference: number | null;
            /** Null below ten pairs. */
            readonly interval: {
              readonly [key: string]: Json;
            } | null;
            /** The p-value of the test that there is no difference; null when it was not tested. */
            readonly p_value: number | null;
            /** Rows for which both evaluations have a value. */
            readonly pairs: number;
            /** Adjusted for the number of groups. */
            readonly q_value: number | null;
          }[];
        }[]
      | null;
    /** The evaluations, or their number. */
    readonly evaluations: readonly {
      /** The id of the evaluation's root call. */
      readonly evaluation_call_id: string;
      /** The measures. */
      readonly measures: readonly {
        /** The mean; null without values. */
        readonly mean: number | null;
        /** Rows, or their number. */
        readonly rows: number;
      }[];
    }[];
    /** The same as one of the query's `filters`, when one can express it. */
    readonly filter: {
      readonly [key: string]: Json;
    } | null;
    /** The upper bound, excluded; included in the last range. */
    readonly high: number | null;
    /**
     * The kind.
     */
    readonly kind: "value" | "range" | "other" | "missing";
    /** The label of the group. */
    readonly label: string;
    /** The lower bound; null when there is none. */
    readonly low: number | null;
    /** The filter that selects the rows of the group. */
    readonly row_filter: Schemas["EvalResultsRowFilter"];
    /** The number of rows of a page with `row_filter`. */
    readonly rows: number;
    /** The value. */
    readonly value: string | number | boolean | null;
  };
  /** The headers of `evalResultsGroups`. */
  readonly "evalResultsGroups.header": {
    /** `notes` adds a member `notes` to the answer: a list of names in the question that match nothing, each with `about`, `name`, `nearest` and `message`. */
    readonly Prefer?: string;
  };
  /** `EvalResultsGroupsBody` of the OpenAPI document. */
  readonly EvalResultsGroupsBody: {
    /** The evaluation that others are compared with. */
    readonly baseline?: string | null;
    /** What the rows are grouped by. */
    readonly by: {
      /** The evaluation that others are compared with. */
      readonly baseline?: string | null;
      /** The number of ranges that numbers are divided into. */
      readonly bins?: number | null;
      /** The id of the evaluation's root call. */
      readonly evaluation_call_id?: string | null;
      /** The path of a field, as in scores.quality or inputs.category. */
      readonly field: string;
    };
    /** The confidence of intervals, between 0 and 1; 0.95 by default. */
    readonly level?: number | null;
    /** The measures. */
    readonly measures?:
      | readonly (
          | string
          | {
              /** asc for the smallest first, desc for the largest; for a measure, whether higher or lower is better. */
              readonly direction?: ("higher" | "lower") | null;
              /** The path of a field, as in scores.quality or inputs.category. */
              readonly field: string;
            }
        )[]
      | null;
    /** The query that selects the rows. */
    readonly query: Schemas["EvalResultsQueryBody"];
    /** Filters on values of rows, all of which must hold; none by default. */
    readonly row_filters?:
      | readonly {
          /** The value is at least this. */
          readonly at_least?: number | null;
          /** The value is at most this. */
          readonly at_most?: number | null;
          /** The evaluation that others are compared with. */
          readonly baseline?: string | null;
          /** The value is less than this. */
          readonly below?: number | null;
          /** The value equals this. */
          readonly equals?: string | number | boolean | null;
          /** The id of the evaluation's root call. */
          readonly evaluation_call_id?: string | null;
          /** The path of a field, as in scores.quality or inputs.category. */
          readonly field: string;
          /** Whether there is a value at all. */
          readonly known?: boolean | null;
          /** The value is none of these. */
          readonly none_of?: readonly (string | number | boolean)[] | null;
        }[]
      | null;
  };
  /** Groups of rows: each row is in one of them. */
  readonly EvalResultsGroupsRes: {
    /** The groups. */
    readonly groups: readonly Schemas["EvalResultsGroup"][];
    /** The measures. */
    readonly measures: readonly string[];
    /** Rows, or their number. */
    readonly rows: number;
    /** Warnings about the answer, as sentences. */
    readonly warnings: readonly string[];
  };
  /** A confidence interval at the requested level, both bounds included. */
  readonly EvalResultsInterval: {
    /** The upper bound. */
    readonly high: number;
    /** The lower bound. */
    readonly low: number;
    /**
     * The method.
     */
    readonly method:
      | "wilson"
      | "clopper_pearson"
      | "jeffreys"
      | "t"
      | "cluster_t"
      | "bootstrap_bca"
      | "bonett_price"
      | "newcombe"
      | "welch"
      | "confidence_sequence"
      | "cluster_wilson"
      | "cluster_bonett_price"
      | "cluster_newcombe";
  };
  /** One measure of a candidate and the baseline. */
  readonly EvalResultsMeasure: {
    /** `p_value`, adjusted for all pairs and measures of the answer. */
    readonly adjusted_p: number | null;
    /** The baseline by itself. */
    readonly baseline: Schemas["EvalResultsMeasureSide"];
    /** Mean of the baseline over the pairs; null when there are fewer than two. */
    readonly baseline_mean: number | null;
    /** The candidate by itself. */
    readonly candidate: Schemas["EvalResultsMeasureSide"];
    /** The same for the candidate. */
    readonly candidate_mean: number | null;
    /** Pearson's correlation of the two over rows. */
    readonly correlation: number | null;
    /** Mean of candidate − baseline. */
    readonly difference: number | null;
    /**
     * Whether higher or lower values are better; null when it is not set.
     */
    readonly direction: "higher" | "lower" | null;
    /**
     * Where the direction comes from: the question, the project, the measure's name, or values that are true or false; null when it is not set.
     */
    readonly direction_source: "asked" | "project" | "name" | "values" | null;
    /** The difference in standard deviations of the rows' differences. */
    readonly effect: number | null;
    /** The measure. */
    readonly field: string;
    /** Its interval. */
    readonly interval: Schemas["EvalResultsInterval"] | null;
    /**
     * The kind of its values in the selection; null when there are none.
     */
    readonly kind: "boolean" | "number" | null;
    /** Rows on which it is worse. */
    readonly losses: number | null;
    /** The smallest difference that matters. */
    readonly margin: number;
    /** The smallest difference that this many rows detect with power 0.8. */
    readonly minimum_detectable: number | null;
    /** Where the variation comes from; null with one trial per row. */
    readonly noise: Schemas["EvalResultsMeasureNoise"] | null;
    /** Booleans: rows that only the candidate passes, for each that only the baseline passes. */
    readonly odds: number | null;
    /** Selected rows that the candidate does not have. */
    readonly only_baseline: number;
    /** Selected rows that the baseline does not have. */
    readonly only_candidate: number;
    /**
     * The test.
     */
    readonly p_method:
      | "mcnemar_mid_p"
      | "sign_flip"
      | "t"
      | "cluster_t"
      | "welch"
      | "two_proportions"
      | "cluster_bonett_price"
      | "cluster_two_proportions"
      | null;
    /** The probability of a difference at least this large if there were none; null when only the interval decides. */
    readonly p_value: number | null;
    /** Whether the rows of both were compared one by one. */
    readonly paired: boolean;
    /** Rows with a value in both. */
    readonly pairs: number;
    /** Why it is inconclusive; otherwise null. */
    readonly reason: string | null;
    /** How a row's trials became one value. */
    readonly reduce: string;
    /** Rows needed to detect the margin, or the observed difference when the margin is 0. */
    readonly rows_needed: number | null;
    /** Its standard error. */
    readonly se: number | null;
    /** Rows on which they are equal. */
    readonly ties: number | null;
    /**
     * The verdict.
     */
    readonly verdict: "improved" | "regressed" | "equivalent" | "not_worse" | "inconclusive" | "no_direction";
    /** Rows on which the candidate is better; null when unpaired. */
    readonly wins: number | null;
  };
  /** How much of the variation comes from repeated trials. */
  readonly EvalResultsMeasureNoise: {
    /** Mean variance of one row's trials, in the baseline. */
    readonly baseline_within: number;
    /** The same in the candidate. */
    readonly candidate_within: number;
    /** Rows whose trials disagree in one of the two. */
    readonly flaky_rows: number;
    /** `rows_needed` with four times the trials. */
    readonly rows_needed_with_4x_trials: number | null;
    /** Share of the variance of the differences that comes from trials, and that more trials would remove. */
    readonly share_from_trials: number | null;
  };
  /** One evaluation at a measure. */
  readonly EvalResultsMeasureSide: {
    /** The interval of the mean. */
    readonly interval: Schemas["EvalResultsInterval"] | null;
    /** Mean over rows. */
    readonly mean: number | null;
    /** Rows of the evaluation, in the selection, without a value. */
    readonly missing: number;
    /** Rows with a value. */
    readonly rows: number;
    /** Standard deviation over rows. */
    readonly sd: number | null;
    /** Standard error of the mean. */
    readonly se: number | null;
    /** Trials in them with a known value. */
    readonly trials: number;
  };
  /** The headers of `evalResultsPage`. */
  readonly "evalResultsPage.header": {
    /** `notes` adds a member `notes` to the answer: a list of names in the question that match nothing, each with `about`, `name`, `nearest` and `message`. */
    readonly Prefer?: string;
  };
  /** `EvalResultsPageBody` of the OpenAPI document. */
  readonly EvalResultsPageBody: {
    /** The evaluation that others are compared with. */
    readonly baseline?: string | null;
    /** The evaluation that is compared with the baseline. */
    readonly candidate?: string | null;
    /** Only rows with this change; all by default. */
    readonly change?: ("worse" | "better" | "changed" | "equal" | "flaky" | "missing") | null;
    /** The measure. */
    readonly measure?:
      | string
      | {
          /** asc for the smallest first, desc for the largest; for a measure, whether higher or lower is better. */
          readonly direction?: ("higher" | "lower") | null;
          /** The path of a field, as in scores.quality or inputs.category. */
          readonly field: string;
        }
      | null;
    /** The measures. */
    readonly measures?: readonly string[] | null;
    /** The order; the route states the default. */
    readonly order?: ("worst_first" | "best_first" | "largest_first") | null;
    /** The maximum number of characters of a text. */
    readonly preview_chars?: number | null;
    /** The query that selects the rows. */
    readonly query: Schemas["EvalResultsQueryBody"];
    /** Filters on values of rows, all of which must hold; none by default. */
    readonly row_filters?:
      | readonly {
          /** The value is at least this. */
          readonly at_least?: number | null;
          /** The value is at most this. */
          readonly at_most?: number | null;
          /** The evaluation that others are compared with. */
          readonly baseline?: string | null;
          /** The value is less than this. */
          readonly below?: number | null;
          /** The value equals this. */
          readonly equals?: string | number | boolean | null;
          /** The id of the evaluation's root call. */
          readonly evaluation_call_id?: string | null;
          /** The path of a field, as in scores.quality or inputs.category. */
          readonly field: string;
          /** Whether there is a value at all. */
          readonly known?: boolean | null;
          /** The value is none of these. */
          readonly none_of?: readonly (string | number | boolean)[] | null;
        }[]
      | null;
  };
  /** A page of rows. */
  readonly EvalResultsPageRes: {
    /** The number of rows of each kind. */
    readonly counts: Schemas["EvalResultsChangeCounts"] | null;
    /** The measures of `values`, `means` and `differences`, in order. */
    readonly measures: readonly string[];
    /** Rows, or their number. */
    readonly rows: readonly Schemas["EvalResultsPageRow"][];
    /** Rows before paging. */
    readonly total_rows: number;
    /** Warnings about the answer, as sentences. */
    readonly warnings: readonly string[];
  };
  /** One row, with the evaluations that have it. */
  readonly EvalResultsPageRow: {
    /** The evaluations, or their number. */
    readonly evaluations: readonly Schemas["EvalResultsPageRowEvaluation"][];
    /** The row. */
    readonly row: Schemas["EvalResultsPreview"];
    /** The digest of a row: rows with the same digest are the same row in every evaluation. */
    readonly row_digest: string;
  };
  /** A row's trials in one evaluation. */
  readonly EvalResultsPageRowEvaluation: {
    /** The means minus the baseline's; null for the baseline itself, and without one. */
    readonly differences: readonly (number | null)[] | null;
    /** The id of the evaluation's root call. */
    readonly evaluation_call_id: string;
    /** The mean of what the trials have; null for nothing. */
    readonly means: readonly (number | null)[];
    /** Trials, or their number. A row has one or several. */
    readonly trials: readonly {
      /** The output; null if it failed. */
      readonly output: Schemas["EvalResultsPreview"];
      /** The id of the trial's call. */
      readonly predict_and_score_call_id: string;
      /** The values. */
      readonly values: readonly (boolean | number | null)[];
    }[];
  };
  /** The beginning of a value that may be long. */
  readonly EvalResultsPreview: {
    /** Whether the value is cut. */
    readonly cut: boolean;
    /** Length of the whole in characters: of the text, or of the JSON of other values. */
    readonly length: number;
    /**
     * The value.
     */
    readonly value: Json;
  };
  /** The headers of `evalResultsQuery`. */
  readonly "evalResultsQuery.header": {
    /** `notes` adds a member `notes` to the answer: a list of names in the question that match nothing, each with `about`, `name`, `nearest` and `message`. */
    readonly Prefer?: string;
  };
  /** `EvalResultsQueryBody` of the OpenAPI document. */
  readonly EvalResultsQueryBody: {
    /** The ids of the evaluations, each at most once. */
    readonly evaluation_call_ids?: readonly string[] | null;
    /** Another name for evaluation_call_ids. */
    readonly evaluation_run_ids?: readonly string[] | null;
    /**
     * Whether all filters must hold (and) or one (or).
     */
    readonly filter_logic_operator?: "and" | "or";
    /** Conditions on rows; none by default. */
    readonly filters?:
      | readonly {
          /** The id of the evaluation's root call. */
          readonly evaluation_call_id?: string | null;
          /** The query that selects the rows. */
          readonly query: Schemas["Query"];
        }[]
      | null;
    /** Whether to include the cost of the model's calls, at the project's prices, else at the server's; false by default. */
    readonly include_costs?: boolean;
    /** Whether to read the calls below each trial for its output, scores and tokens. */
    readonly include_predict_and_score_children?: boolean;
    /** Whether rows include their fields; false by default. */
    readonly include_raw_data_rows?: boolean;
    /** Whether the answer has rows; true by default. */
    readonly include_rows?: boolean;
    /** Whether the answer has a summary; false by default. */
    readonly include_summary?: boolean;
    /** The maximum number of items to return. */
    readonly limit?: number | null;
    /** The number of items to skip; 0 by default. */
    readonly offset?: number;
    /** Whether to keep only rows that every evaluation has; false by default. */
    readonly require_intersection?: boolean;
    /** Whether to resolve fields that are references; false by default. */
    readonly resolve_row_refs?: boolean;
    /** The keys to sort by, most significant first. */
    readonly sort_by?:
      | readonly {
          /**
           * asc for the smallest first, desc for the largest; for a measure, whether higher or lower is better.
           */
          readonly direction: "asc" | "desc";
          /** The id of the evaluation's root call. */
          readonly evaluation_call_id?: string | null;
          /** The path of a field, as in scores.quality or inputs.category. */
          readonly field: string;
          /**
           * The value itself, the difference between evaluations, or the order of calls.
           */
          readonly mode?: "value" | "difference";
        }[]
      | null;
    /** The same for the summary only; as require_intersection by default. */
    readonly summary_require_intersection?: boolean | null;
  };
  /** The answer to an evaluation query. */
  readonly EvalResultsQueryRes: {
    /** Rows, or their number. */
    readonly rows: readonly Schemas["EvalResultsRow"][];
    /** The summary; null when there is none. */
    readonly summary: Schemas["EvalResultsSummaryRes"] | null;
    /** Rows before paging. */
    readonly total_rows: number;
    /** Warnings about the answer, as sentences. */
    readonly warnings: readonly string[];
  };
  /** One evaluation in a ranking. */
  readonly EvalResultsRankedEvaluation: {
    /** Why it ranks above one with a better mean; null when it does not. */
    readonly ahead_of: {
      /** The evaluation that beats it: the one above, or another that does not beat the one above. */
      readonly beaten_by: string;
      /** Mean of `beaten_by` − the one below, over these rows. */
      readonly difference: number;
      /** The lower one; of several, the one with the best mean. */
      readonly evaluation_call_id: string;
      /** Rows that the two share. */
      readonly pairs: number;
    } | null;
    /** The evaluation. */
    readonly evaluation_call_id: string;
    /** Evaluations of one group cannot be distinguished from the best of it; null without a mean. */
    readonly group: number | null;
    /** Its interval. */
    readonly interval: Schemas["EvalResultsInterval"] | null;
    /** Mean over rows. */
    readonly mean: number | null;
    /** The places it may have; null without a mean. */
    readonly rank: {
      /** The worst of them. */
      readonly high: number;
      /** The best of them. */
      readonly low: number;
    } | null;
    /** Rows with a value. */
    readonly rows: number;
    /** The mean, shrunk towards the overall mean by as much as noise explains; null for fewer than four evaluations. */
    readonly shrunken: number | null;
  };
  /** Two evaluations of a ranking. */
  readonly EvalResultsRankedPair: {
    /** The one whose mean is better. */
    readonly a: string;
    /** Adjusted for all pairs, by Holm. */
    readonly adjusted_p: number | null;
    /** The other. */
    readonly b: string;
    /** Mean of a − b. */
    readonly difference: number | null;
    /** Its interval. */
    readonly interval: Schemas["EvalResultsInterval"] | null;
    /** The probability of a difference at least this large if there were none. */
    readonly p_value: number | null;
  };
  /** The headers of `evalResultsRanking`. */
  readonly "evalResultsRanking.header": {
    /** `notes` adds a member `notes` to the answer: a list of names in the question that match nothing, each with `about`, `name`, `nearest` and `message`. */
    readonly Prefer?: string;
  };
  /** `EvalResultsRankingBody` of the OpenAPI document. */
  readonly EvalResultsRankingBody: {
    /**
     * A field of the row (`inputs.…`): rows with the same value are one cluster.
     * @default null
     */
    readonly cluster_by?: string | null;
    /**
     * The confidence of intervals.
     * @default 0.95
     */
    readonly level?: number | null;
    /** A measure, or only its field. */
    readonly measure:
      | string
      | {
          /**
           * Which values are better. Default: the project's direction of the measure, else the one that its name implies (model_latency_seconds and total_tokens: `lower`), else `higher` for true and false. Other numbers have no direction, and no verdict.
           */
          readonly direction?: "higher" | "lower" | null;
          /** `scores.<path>`, model_latency_seconds or total_tokens. */
          readonly field: string;
          /**
           * The smallest difference that matters, in the measure's unit.
           * @default 0
           */
          readonly margin?: number | null;
          /**
           * How a row's trials become one value. `mean`, `max`, `min` and `median` are of any numbers; `any`, `all`, `majority`, `pass@k` (the chance that some of k trials passes) and `pass^k` (that all do) are of true and false, k up to 10,000.
           * @default mean
           */
          readonly reduce?: string | null;
        };
    /**
     * How a row without a known value counts: not at all, or (for measures of true and false) as failed.
     * @default exclude
     */
    readonly missing?: "exclude" | "fail" | null;
    /** The query that selects the rows, and whose evaluations are compared. Its paging, sorting and parts of the response are ignored. */
    readonly query: Schemas["EvalResultsQueryBody"];
  };
  /** The answer to a ranking. */
  readonly EvalResultsRankingRes: {
    /** By the best place that each may have, then by mean. */
    readonly evaluations: readonly Schemas["EvalResultsRankedEvaluation"][];
    /** Each pair of them. */
    readonly pairs: readonly Schemas["EvalResultsRankedPair"][];
    /** Selected rows. */
    readonly row_count: number;
    /** Warnings that limit what the numbers mean. */
    readonly warnings: readonly Schemas["EvalResultsStatisticsWarning"][];
  };
  /** One row, with the evaluations that have it. */
  readonly EvalResultsRow: {
    /** The evaluations, or their number. */
    readonly evaluations: readonly Schemas["EvalResultsRowEvaluation"][];
    /**
     * The fields of the row; null unless requested.
     */
    readonly raw_data_row: Json;
    /** The digest of a row: rows with the same digest are the same row in every evaluation. */
    readonly row_digest: string;
  };
  /** A row's trials in one evaluation. */
  readonly EvalResultsRowEvaluation: {
    /** The id of the evaluation's root call. */
    readonly evaluation_call_id: string;
    /** Trials, or their number. A row has one or several. */
    readonly trials: readonly Schemas["EvalResultsTrial"][];
  };
  /** A condition on rows, for `row_filters`. */
  readonly EvalResultsRowFilter: {
    /** The value is at least this. */
    readonly at_least?: number;
    /** The value is at most this. */
    readonly at_most?: number;
    /** The evaluation that others are compared with. */
    readonly baseline?: string;
    /** The value is less than this. */
    readonly below?: number;
    /** The value equals this. */
    readonly equals?: string | number | boolean;
    /** The id of the evaluation's root call. */
    readonly evaluation_call_id?: string;
    /** The path of a field, as in scores.quality or inputs.category. */
    readonly field: string;
    /** Whether there is a value at all. */
    readonly known?: boolean;
    /** The value is none of these. */
    readonly none_of?: readonly (string | number | boolean)[];
  };
  /** Statistics of one flattened score dimension. */
  readonly EvalResultsScorerStats: {
    /** Trials with a number. */
    readonly numeric_count: number;
    /** The mean of the numbers; null without any. */
    readonly numeric_mean: number | null;
    /** Trials with a boolean. */
    readonly pass_known_count: number;
    /** The share of trials with a boolean that passed, from 0 to 1; null without any. */
    readonly pass_rate: number | null;
    /** The share of trials that have a boolean, from 0 to 1. */
    readonly pass_signal_coverage: number | null;
    /** Trials that passed. */
    readonly pass_true_count: number;
    /** Subpath joined by dots, with a dot within a key written as \.; null for a scorer that returns a bare value. */
    readonly path: string | null;
    /** The name of the scorer. */
    readonly scorer_key: string;
    /** Trials that are counted here. */
    readonly trial_count: number;
    /**
     * The type of the first value; null without any.
     */
    readonly value_type: "binary" | "continuous" | "text" | null;
  };
  /** One slice of the rows. */
  readonly EvalResultsSlice: {
    /** Mean of the baseline over the pairs. */
    readonly baseline_mean: number | null;
    /** The same for the candidate. */
    readonly candidate_mean: number | null;
    /** Mean of candidate − baseline. */
    readonly difference: number | null;
    /** The slice's difference minus that of the rows outside. */
    readonly difference_to_outside: number | null;
    /** One field, or two. */
    readonly fields: readonly {
      /** The field. */
      readonly field: string;
      /** The range's upper bound, included only in the last range. */
      readonly high: number | null;
      /** The range's lower bound, included. */
      readonly low: number | null;
      /** Its value; null for a range. */
      readonly value: boolean | string | null;
    }[];
    /** The filter that, with the query's own, selects its rows; null when no single filter does. */
    readonly filter: {
      /** The id of the evaluation's root call. */
      readonly evaluation_call_id: string | null;
      /** The query that selects the rows. */
      readonly query: Schemas["Query"];
    } | null;
    /** Its interval. */
    readonly interval: Schemas["EvalResultsInterval"] | null;
    /** The other selected rows with a value in both. */
    readonly outside: {
      /** Mean of candidate − baseline over them. */
      readonly difference: number | null;
      /** How many. */
      readonly rows: number;
    };
    /** The probability of a difference at least this large if there were none. */
    readonly p_value: number | null;
    /** Those with a value in both. */
    readonly pairs: number;
    /** `p_value` adjusted for all slices tested, by Benjamini and Hochberg; null when it was not tested. */
    readonly q_value: number | null;
    /** Why it is inconclusive; otherwise null. */
    readonly reason: string | null;
    /** Selected rows in it. */
    readonly rows: number;
    /**
     * The verdict.
     */
    readonly verdict: "improved" | "regressed" | "equivalent" | "not_worse" | "inconclusive" | "no_direction";
  };
  /** The headers of `evalResultsSlices`. */
  readonly "evalResultsSlices.header": {
    /** `notes` adds a member `notes` to the answer: a list of names in the question that match nothing, each with `about`, `name`, `nearest` and `message`. */
    readonly Prefer?: string;
  };
  /** `EvalResultsSlicesBody` of the OpenAPI document. */
  readonly EvalResultsSlicesBody: {
    /** One of the query's evaluations. */
    readonly baseline: string;
    /** Another of the query's evaluations. */
    readonly candidate: string;
    /**
     * 2 also slices by each pair of fields.
     * @default 1
     */
    readonly depth?: 1 | 2 | null;
    /**
     * Fields of the row. Null for every text and boolean field with 2 to 50 values and every number.
     * @default null
     */
    readonly fields?: readonly string[] | null;
    /**
     * The confidence of intervals.
     * @default 0.95
     */
    readonly level?: number | null;
    /**
     * The smallest difference that matters, in the measure's unit.
     * @default 0
     */
    readonly margin?: number | null;
    /** A measure, or only its field. */
    readonly measure:
      | string
      | {
          /**
           * Which values are better. Default: the project's direction of the measure, else the one that its name implies (model_latency_seconds and total_tokens: `lower`), else `higher` for true and false. Other numbers have no direction, and no verdict.
           */
          readonly direction?: "higher" | "lower" | null;
          /** `scores.<path>`, model_latency_seconds or total_tokens. */
          readonly field: string;
          /**
           * The smallest difference that matters, in the measure's unit.
           * @default 0
           */
          readonly margin?: number | null;
          /**
           * How a row's trials become one value. `mean`, `max`, `min` and `median` are of any numbers; `any`, `all`, `majority`, `pass@k` (the chance that some of k trials passes) and `pass^k` (that all do) are of true and false, k up to 10,000.
           * @default mean
           */
          readonly reduce?: string | null;
        };
    /**
     * Rows that a slice needs to be tested.
     * @default 10
     */
    readonly min_rows?: number | null;
    /**
     * How a row without a known value counts: not at all, or (for measures of true and false) as failed.
     * @default exclude
     */
    readonly missing?: "exclude" | "fail" | null;
    /** The query that selects the rows, and whose evaluations are compared. Its paging, sorting and parts of the response are ignored. */
    readonly query: Schemas["EvalResultsQueryBody"];
  };
  /** The answer to slices. */
  readonly EvalResultsSlicesRes: {
    /** Number of slices. */
    readonly looked_at: number;
    /** By q-value, then by the size of the difference; those not tested last. */
    readonly slices: readonly Schemas["EvalResultsSlice"][];
    /** Those with enough rows to be tested. */
    readonly tested: number;
    /** Warnings that limit what the numbers mean. */
    readonly warnings: readonly Schemas["EvalResultsStatisticsWarning"][];
    /** All selected rows. */
    readonly whole: Schemas["EvalResultsMeasure"];
  };
  /** A warning about the numbers. */
  readonly EvalResultsStatisticsWarning: {
    /**
     * What it is about.
     */
    readonly code:
      | "selected_by_results"
      | "different_datasets"
      | "rows_not_shared"
      | "different_scorers"
      | "different_trials"
      | "missing_uneven"
      | "still_running"
      | "duplicate_trials"
      | "few_rows"
      | "few_clusters"
      | "skewed"
      | "no_variation"
      | "same_model"
      | "no_rows"
      | "no_cluster"
      | "too_many_slices"
      | "no_direction"
      | "unknown_field"
      | "unmet_type";
    /** Number of the rows, trials, measures or slices that the text mentions; null when nothing is counted. */
    readonly count: number | null;
    /** The evaluations that it is about. */
    readonly evaluations: readonly string[];
    /** The warning as a sentence. */
    readonly text: string;
  };
  /** Statistics over all rows of the query, never paged. */
  readonly EvalResultsSummaryRes: {
    /** The evaluations, or their number. */
    readonly evaluations: readonly Schemas["EvalResultsEvaluationSummary"][];
    /** The number of rows. */
    readonly row_count: number;
  };
  /** One trial of one row. */
  readonly EvalResultsTrial: {
    /** The OpenTelemetry span of the trial; null when it has none. */
    readonly genai_span_ref: readonly Schemas["GenAISpanRef"][] | null;
    /** Duration of the model's call in seconds; null when unknown. */
    readonly model_latency_seconds: number | null;
    /**
     * The model's answer; null if it failed.
     */
    readonly model_output: Json;
    /** The id of the trial's call. */
    readonly predict_and_score_call_id: string;
    /** The id of the model's call; null without one. */
    readonly predict_call_id: string | null;
    /** Calls by scorer. */
    readonly scorer_call_ids: {
      readonly [key: string]: string;
    };
    /** Scores by scorer. */
    readonly scores: {
      readonly [key: string]: Json;
    };
    /** With include_costs: what the model's call cost, in US dollars; null where its price or its tokens are not known. */
    readonly total_cost?: number | null;
    /** Tokens of both together; null when unknown. */
    readonly total_tokens: number | null;
  };
  /** `EvaluationList` of the OpenAPI document. */
  readonly EvaluationList: {
    /** The evaluations, or their number. */
    readonly evaluations: readonly {
      /** The dataset that its rows refer to; null when the calls contain the rows. */
      readonly dataset: string | null;
      /**
       * Format: date-time
       * Null while it is running.
       */
      readonly ended_at: string | null;
      /** The evaluation object that was run. */
      readonly evaluation_ref: string | null;
      /** The id for queries. */
      readonly id: string;
      /** The name or the reference of the model. */
      readonly model: string | null;
      /** The name. */
      readonly name: string | null;
      /** Rows, or their number. */
      readonly rows: number;
      /**
       * Format: date-time
       * When it started, as RFC 3339; null if unknown.
       */
      readonly started_at: string | null;
      /** Trials, or their number. A row has one or several. */
      readonly trials: number;
    }[];
    /** The value of `after` for the next page; null on the last page. */
    readonly next: string | null;
  };
  /** `EvaluationObject` of the OpenAPI document. */
  readonly EvaluationObject: {
    /**
     * Format: date-time
     * When it was created.
     */
    readonly created_at: string;
    /** A reference (weave:// URI); empty for none. */
    readonly dataset: string;
    /** The author's description; null without one. */
    readonly description?: string | null;
    /** The digest of the content. */
    readonly digest: string;
    /** The reference of the operation that evaluates. */
    readonly evaluate_op?: string | null;
    /** The name of the evaluation. */
    readonly evaluation_name?: string | null;
    /** The name. */
    readonly name: string;
    /** The id of the object, the same in all of its versions. */
    readonly object_id: string;
    /** The reference of the operation that predicts and scores. */
    readonly predict_and_score_op?: string | null;
    /** References. */
    readonly scorers: readonly string[];
    /** The reference of the operation that summarizes. */
    readonly summarize_op?: string | null;
    /** How often each row is predicted. */
    readonly trials: number;
    /** The number of the version; the first is 0. */
    readonly version_index: number;
  };
  /** `EvaluationRun` of the OpenAPI document. */
  readonly EvaluationRun: {
    /** The reference of the evaluation. */
    readonly evaluation: string;
    /** The id of the evaluation run. */
    readonly evaluation_run_id: string;
    /**
     * Format: date-time
     * When it finished; null while it runs.
     */
    readonly finished_at: string | null;
    /** The name or the reference of the model. */
    readonly model: string;
    /** The run that this one was created from; null without one. */
    readonly source_evaluation_run_id: string | null;
    /**
     * Format: date-time
     * When it started, as RFC 3339; null if unknown.
     */
    readonly started_at: string | null;
    /**
     * Its status.
     */
    readonly status: "running" | "completed" | "failed";
    /** The summary; null when there is none. */
    readonly summary: Record<string, unknown> | null;
  };
  /** The query parameters of `exportCalls`. */
  readonly "exportCalls.query": {
    /** Only what belongs to this evaluation; may be given again. Default: all of the project. */
    readonly evaluation?: readonly string[];
  };
  /** The answer of `exportLogs`. */
  readonly "exportLogs.answer": {
    /** What was rejected; absent if nothing was. */
    readonly partialSuccess?: {
      /** The error; empty without one. */
      readonly errorMessage?: string;
      /** The number of rejected log records. */
      readonly rejectedLogRecords?: string;
    };
  };
  /** The body of `exportLogs`. */
  readonly "exportLogs.body": {
    /** Log records by resource. */
    readonly resourceLogs?:
      | readonly {
          /** The resource. */
          readonly resource?: Record<string, unknown> | null;
          /** Log records by scope. */
          readonly scopeLogs?:
            | readonly {
                /** The log records. */
                readonly logRecords?:
                  | readonly {
                      readonly [key: string]: any;
                    }[]
                  | null;
                /** The scope. */
                readonly scope?: Record<string, unknown> | null;
              }[]
            | null;
        }[]
      | null;
  };
  /** The headers of `exportLogs`. */
  readonly "exportLogs.header": {
    /** `entity/project`, unless the resource has `wandb.entity` and `wandb.project`. */
    readonly project_id?: string;
  };
  /** The query parameters of `exportRows`. */
  readonly "exportRows.query": {
    /** Only what belongs to this evaluation; may be given again. Default: all of the project. */
    readonly evaluation?: readonly string[];
  };
  /** The answer of `exportTraces`. */
  readonly "exportTraces.answer": {
    /** What was rejected; absent if nothing was. */
    readonly partialSuccess?: {
      /** The error; empty without one. */
      readonly errorMessage?: string;
      /** The number of rejected spans. */
      readonly rejectedSpans?: string;
    };
  };
  /** The body of `exportTraces`. */
  readonly "exportTraces.body": {
    /** Spans by resource. */
    readonly resourceSpans?:
      | readonly {
          /** The resource. */
          readonly resource?: Record<string, unknown> | null;
          /** Spans by scope. */
          readonly scopeSpans?:
            | readonly {
                /** The scope. */
                readonly scope?: Record<string, unknown> | null;
                /** The spans. */
                readonly spans?:
                  | readonly {
                      readonly [key: string]: any;
                    }[]
                  | null;
              }[]
            | null;
        }[]
      | null;
  };
  /** The headers of `exportTraces`. */
  readonly "exportTraces.header": {
    /** `entity/project`, unless the resource has `wandb.entity` and `wandb.project`. */
    readonly project_id?: string;
  };
  /** An uploaded file. */
  readonly File: {
    /** Bytes. */
    readonly bytes: number;
    /** Seconds since 1970. */
    readonly created_at: number;
    /** The name of the file, given by its owner. */
    readonly filename: string;
    /** The id. */
    readonly id: string;
    /**
     * The kind of this object.
     */
    readonly object: "file";
    /** What the file is for. */
    readonly purpose: string;
    /**
     * Its status.
     */
    readonly status: "processed";
  };
  /** A page of a list. */
  readonly FileList: {
    /** The items. */
    readonly data: readonly Schemas["File"][];
    /** The id of the first item; null when there is none. */
    readonly first_id: string;
    /** Whether more follow the last one. */
    readonly has_more: boolean;
    /** The id of the last item, for requesting the items after it. */
    readonly last_id: string;
    /**
     * The kind of this object.
     */
    readonly object: "list";
  };
  /** The result of a job. */
  readonly FineTuningCheckpoint: {
    /** Seconds since 1970. */
    readonly created_at: number;
    /** Its name, for chats. */
    readonly fine_tuned_model_checkpoint: string;
    /** The id of the fine-tuning job. */
    readonly fine_tuning_job_id: string;
    /** The id. */
    readonly id: string;
    /** train_loss of the last step; full_valid_loss of the validation file where it was measured. */
    readonly metrics: {
      readonly [key: string]: number;
    };
    /**
     * The kind of this object.
     */
    readonly object: "fine_tuning.job.checkpoint";
    /** The training step of the checkpoint. */
    readonly step_number: number;
  };
  /** A page of a list. */
  readonly FineTuningCheckpointList: {
    /** The items. */
    readonly data: readonly Schemas["FineTuningCheckpoint"][];
    /** The id of the first item; null when there is none. */
    readonly first_id: string;
    /** Whether more follow the last one. */
    readonly has_more: boolean;
    /** The id of the last item, for requesting the items after it. */
    readonly last_id: string;
    /**
     * The kind of this object.
     */
    readonly object: "list";
  };
  /** An event of a job. */
  readonly FineTuningEvent: {
    /** Seconds since 1970. */
    readonly created_at: number;
    /** The metrics of a step, by name. */
    readonly data: {
      readonly [key: string]: Json;
    };
    /** The id. */
    readonly id: string;
    /**
     * The confidence of intervals, between 0 and 1; 0.95 by default.
     */
    readonly level: "info" | "warn" | "error";
    /** A sentence, or a message of the conversation. */
    readonly message: string;
    /**
     * The kind of this object.
     */
    readonly object: "fine_tuning.job.event";
    /**
     * The kind.
     */
    readonly type: "message" | "metrics";
  };
  /** A page of a list. */
  readonly FineTuningEventList: {
    /** The items. */
    readonly data: readonly Schemas["FineTuningEvent"][];
    /** The id of the first item; null when there is none. */
    readonly first_id: string;
    /** Whether more follow the last one. */
    readonly has_more: boolean;
    /** The id of the last item, for requesting the items after it. */
    readonly last_id: string;
    /**
     * The kind of this object.
     */
    readonly object: "list";
  };
  /** A fine-tuning job. */
  readonly FineTuningJob: {
    /** Seconds since 1970. */
    readonly created_at: number;
    /** The error; null without one. */
    readonly error: {
      /** A code for programs; null without one. */
      readonly code: string;
      /** A sentence, or a message of the conversation. */
      readonly message: string;
      /** The invalid parameter; null if it is not about one. */
      readonly param: string | null;
    } | null;
    /** The estimated end; null if unknown. */
    readonly estimated_finish: number | null;
    /** The name of the resulting model; null before. */
    readonly fine_tuned_model: string | null;
    /** When it finished; null while it runs. */
    readonly finished_at: number | null;
    /** How it is trained. */
    readonly hyperparameters: {
      /** Examples per step. */
      readonly batch_size: number | "auto";
      /** A factor for the learning rate. */
      readonly learning_rate_multiplier: number | "auto";
      /** The number of passes over the training data. */
      readonly n_epochs: number | "auto";
    };
    /** The id. */
    readonly id: string;
    /** Services that are notified of the job; null without any. */
    readonly integrations: readonly {
      readonly [key: string]: Json;
    }[];
    /** Texts by name, set by the owner; null without any. */
    readonly metadata: {
      readonly [key: string]: string;
    } | null;
    /** How it is trained. */
    readonly method: {
      readonly [key: string]: Json;
    };
    /** The model that it starts from, as requested. */
    readonly model: string;
    /**
     * The kind of this object.
     */
    readonly object: "fine_tuning.job";
    /** The team that it belongs to. */
    readonly organization_id: string;
    /** Always empty: metrics are in the events. */
    readonly result_files: readonly string[];
    /** The random seed. */
    readonly seed: number;
    /**
     * Its status.
     */
    readonly status: "validating_files" | "queued" | "running" | "succeeded" | "failed" | "cancelled";
    /** Trained tokens; null before the end. */
    readonly trained_tokens: number | null;
    /** The id of the file with the training data. */
    readonly training_file: string;
    /** The requested suffix of the model's name; null without one. */
    readonly user_provided_suffix: string | null;
    /** The id of the file with the validation data; null without one. */
    readonly validation_file: string | null;
  };
  /** A page of a list. */
  readonly FineTuningJobList: {
    /** The items. */
    readonly data: readonly Schemas["FineTuningJob"][];
    /** The id of the first item; null when there is none. */
    readonly first_id: string;
    /** Whether more follow the last one. */
    readonly has_more: boolean;
    /** The id of the last item, for requesting the items after it. */
    readonly last_id: string;
    /**
     * The kind of this object.
     */
    readonly object: "list";
  };
  /** A request for a fine-tuning job. The server chooses absent and null settings and "auto": n_epochs so that training sees at least a hundred rows. learning_rate_multiplier multiplies the usual rate of 5e-5. */
  readonly FineTuningRequest: {
    /** The settings of the training, each a number or auto. */
    readonly hyperparameters?: {
      /** Examples per step. */
      readonly batch_size?: number | "auto" | null;
      /** A factor for the learning rate. */
      readonly learning_rate_multiplier?: number | "auto" | null;
      /** The number of passes over the training data. */
      readonly n_epochs?: number | "auto" | null;
    } | null;
    /** Services that are notified of the job; null without any. */
    readonly integrations?: readonly unknown[] | null;
    /** Texts by name, set by the owner; null without any. */
    readonly metadata?: {
      readonly [key: string]: string;
    } | null;
    /** How it is trained. */
    readonly method?: {
      /** Settings of direct preference optimization. */
      readonly dpo?: {
        readonly [key: string]: any;
      } | null;
      /** Settings of reinforcement fine-tuning. */
      readonly reinforcement?: {
        readonly [key: string]: any;
      } | null;
      /** Settings of supervised fine-tuning. */
      readonly supervised?: {
        /** The settings of the training, each a number or auto. */
        readonly hyperparameters?: {
          /** Examples per step. */
          readonly batch_size?: number | "auto" | null;
          /** A factor for the learning rate. */
          readonly learning_rate_multiplier?: number | "auto" | null;
          /** The number of passes over the training data. */
          readonly n_epochs?: number | "auto" | null;
        } | null;
      } | null;
      /**
       * The kind.
       */
      readonly type: "dpo" | "reinforcement" | "supervised";
    } | null;
    /** The name or the reference of the model. */
    readonly model: string;
    /** The random seed. */
    readonly seed?: number | null;
    /** The text that comes after the answer. */
    readonly suffix?: string | null;
    /** The id of the file with the training data. */
    readonly training_file: string;
    /** The id of the file with the validation data; null without one. */
    readonly validation_file?: string | null;
  };
  /** `Finished` of the OpenAPI document. */
  readonly Finished: {
    /** Whether it worked. */
    readonly success: boolean;
  };
  /** The body of `finishEvaluationRun`. */
  readonly "finishEvaluationRun.body": {
    /** The summary; null when there is none. */
    readonly summary?: {
      readonly [key: string]: any;
    } | null;
  };
  /** The headers of `finishEvaluationRun`. */
  readonly "finishEvaluationRun.header": {
    /** Repeating a request with the same key changes nothing and returns the same answer. */
    readonly "Idempotency-Key"?: string;
  };
  /** The body of `finishPrediction`. */
  readonly "finishPrediction.body": {
    /** The summary; null when there is none. */
    readonly summary?: {
      readonly [key: string]: any;
    } | null;
  };
  /** The headers of `finishPrediction`. */
  readonly "finishPrediction.header": {
    /** Repeating a request with the same key changes nothing and returns the same answer. */
    readonly "Idempotency-Key"?: string;
  };
  /** A span of an OpenTelemetry trace. */
  readonly GenAISpanRef: {
    /** The id of the span. */
    readonly span_id: string;
    /** The id of the trace. */
    readonly trace_id: string;
  };
  /** The query parameters of `get_usage`. */
  readonly "get_usage.query": {
    /** Only this entity. */
    readonly entity?: string;
    /** The first day, YYYY-MM-DD in UTC. */
    readonly from?: string;
    /** Some of month, day, model, step, key, user, separated by commas. */
    readonly group_by?: string;
    /** Only this key. */
    readonly key?: string;
    /** Only this model. */
    readonly model?: string;
    /** Only this project. */
    readonly project?: string;
    /** Only this step. */
    readonly step?: string;
    /** The last day, included. */
    readonly to?: string;
    /** Only this user. */
    readonly user?: string;
  };
  /**
   * GetFieldOperator
   * The value of a field; null when it is missing. Segments are split at dots; `\.` is a literal dot.
   */
  readonly GetFieldOperator: {
    /** The path of a field, as in inputs.category or scores.quality. */
    readonly $getField: string;
  };
  /** The query parameters of `getRunHistory`. */
  readonly "getRunHistory.query": {
    /** Only lines that have this key, and only this key of them; may be repeated. */
    readonly key?: readonly string[];
    /**
     * Lines of a page.
     * @default 1000
     */
    readonly limit?: number;
    /** The step after the last. */
    readonly max_step?: number;
    /**
     * The first step.
     * @default 0
     */
    readonly min_step?: number;
  };
  /** `GraphqlErrors` of the OpenAPI document. */
  readonly GraphqlErrors: {
    /**
     * The problem: a sentence, or a list with the path of each error.
     */
    readonly detail?: Json;
    /** The errors; empty without any. */
    readonly errors: readonly {
      /** A sentence, or a message of the conversation. */
      readonly message: string;
    }[];
  };
  /** `GraphqlRequest` of the OpenAPI document. */
  readonly GraphqlRequest: {
    /** The name of the operation; null for the only one. */
    readonly operationName?: string | null;
    /** The query that selects the rows. */
    readonly query: string;
    /** The variables of the operation. */
    readonly variables?: {
      readonly [key: string]: Json;
    } | null;
  };
  /**
   * GteOperation
   * True when the first is greater than or equal to the second. A literal decides how the other side is read.
   */
  readonly GteOperation: {
    /** The first operand is greater or equal. */
    readonly $gte: readonly [Schemas["Operand"], Schemas["Operand"]];
  };
  /**
   * GtOperation
   * True when the first is greater than the second. A literal decides how the other side is read.
   */
  readonly GtOperation: {
    /** The first operand is greater. */
    readonly $gt: readonly [Schemas["Operand"], Schemas["Operand"]];
  };
  /** The answer of `health`. */
  readonly "health.answer": {
    /**
     * Its status.
     */
    readonly status: "ok";
  };
  /** Everything that is wrong with a request. */
  readonly HTTPValidationError: {
    /** The problem: a sentence, or a list with the path of each error. */
    readonly detail: readonly Schemas["ValidationError"][];
  };
  /** `ImportReport` of the OpenAPI document. */
  readonly ImportReport: {
    /** The first of the bad lines. */
    readonly bad: readonly {
      /** The number of the line; the first is 1. */
      readonly line: number;
      /** The reason. */
      readonly reason: string;
    }[];
    /** How many lines were bad. */
    readonly bad_lines: number;
    /** Calls or rows that are new or changed. */
    readonly changed: number;
    /** Whether the lines contain an evaluation: a trial, a call that has trials, or a call below a trial. */
    readonly in_evaluations: boolean;
    /** Lines that are not blank. */
    readonly lines: number;
  };
  /** `InferenceModel` of the OpenAPI document. */
  readonly InferenceModel: {
    /** When it was created. */
    readonly created: number;
    /** The id. */
    readonly id: string;
    /**
     * The kind of this object.
     */
    readonly object: "model";
    /** The owner of the model. */
    readonly owned_by: string;
    /** The base of a trained model. */
    readonly parent?: string;
    /** The model that this one belongs to; null for itself. */
    readonly root: string;
  };
  /**
   * InOperation
   * True when the first equals any in the list.
   */
  readonly InOperation: {
    /** The first operand equals one of the list. */
    readonly $in: readonly [Schemas["Operand"], readonly Schemas["Operand"][]];
  };
  /** `Key` of the OpenAPI document. */
  readonly Key: {
    /** What the key may do: read, write, train, ask models. */
    readonly can: readonly ("read" | "write" | "train" | "chat")[];
    /** Seconds since 1970. */
    readonly created_at: number | null;
    /** Seconds since 1970. */
    readonly expires_at: number | null;
    /** The public part of the key. */
    readonly id: string;
    /** The name of the key. */
    readonly name: string;
    /**
     * The kind of this object.
     */
    readonly object: "key";
    /** Seconds since 1970. */
    readonly revoked_at: number | null;
    /** The projects that the key is for: entity/project, entity/* or *. */
    readonly scopes: readonly string[];
  };
  /** `KeyList` of the OpenAPI document. */
  readonly KeyList: {
    /** The items. */
    readonly data: readonly Schemas["Key"][];
    /** Whether more items follow. */
    readonly has_more: boolean;
    /**
     * The kind of this object.
     */
    readonly object: "list";
  };
  /** `KeyRequest` of the OpenAPI document. */
  readonly KeyRequest: {
    /** What the key may do: read, write, train, ask models. */
    readonly can?: readonly ("read" | "write" | "train" | "chat")[] | null;
    /** Seconds since 1970. */
    readonly expires_at?: number | null;
    /** The name of the key. */
    readonly name: string;
    /** The projects that the key is for: entity/project, entity/* or *. */
    readonly scopes: readonly string[];
  };
  /** The query parameters of `list_checkpoints`. */
  readonly "list_checkpoints.query": {
    /** Only items after the one with this id. */
    readonly after?: string;
    /**
     * The most items.
     * @default 20
     */
    readonly limit?: number;
    /**
     * By age or step.
     * @default asc
     */
    readonly order?: "asc" | "desc";
  };
  /** The headers of `list_files`. */
  readonly "list_files.header": {
    /** The project, as team/project, which clients send as their project option. Default: the only project of the key, or default/fine-tuning; lists then cover every project of the key. */
    readonly "OpenAI-Project"?: string;
  };
  /** The query parameters of `list_files`. */
  readonly "list_files.query": {
    /** Only items after the one with this id. */
    readonly after?: string;
    /**
     * The maximum number of items per page.
     * @default 10000
     */
    readonly limit?: number;
    /**
     * Order by upload time.
     * @default desc
     */
    readonly order?: "asc" | "desc";
    /** Only files for this purpose. */
    readonly purpose?: string;
  };
  /** The headers of `list_fine_tuning_checkpoints`. */
  readonly "list_fine_tuning_checkpoints.header": {
    /** The project, as team/project, which clients send as their project option. Default: the only project of the key, or default/fine-tuning; lists then cover every project of the key. */
    readonly "OpenAI-Project"?: string;
  };
  /** The query parameters of `list_fine_tuning_checkpoints`. */
  readonly "list_fine_tuning_checkpoints.query": {
    /** Only items after the one with this id. */
    readonly after?: string;
    /**
     * The maximum number of items per page.
     * @default 20
     */
    readonly limit?: number;
  };
  /** The headers of `list_fine_tuning_events`. */
  readonly "list_fine_tuning_events.header": {
    /** The project, as team/project, which clients send as their project option. Default: the only project of the key, or default/fine-tuning; lists then cover every project of the key. */
    readonly "OpenAI-Project"?: string;
  };
  /** The query parameters of `list_fine_tuning_events`. */
  readonly "list_fine_tuning_events.query": {
    /** Only items after the one with this id. */
    readonly after?: string;
    /**
     * The maximum number of items per page.
     * @default 20
     */
    readonly limit?: number;
  };
  /** The headers of `list_fine_tuning_jobs`. */
  readonly "list_fine_tuning_jobs.header": {
    /** The project, as team/project, which clients send as their project option. Default: the only project of the key, or default/fine-tuning; lists then cover every project of the key. */
    readonly "OpenAI-Project"?: string;
  };
  /** The query parameters of `list_fine_tuning_jobs`. */
  readonly "list_fine_tuning_jobs.query": {
    /** Only items after the one with this id. */
    readonly after?: string;
    /**
     * The maximum number of items per page.
     * @default 20
     */
    readonly limit?: number;
    /** Only jobs whose metadata has all of these values, as in metadata[team]=a. */
    readonly metadata?: {
      readonly [key: string]: string;
    };
  };
  /** The query parameters of `list_keys`. */
  readonly "list_keys.query": {
    /** Only keys after this id. */
    readonly after?: string;
  };
  /** The query parameters of `list_model_evaluations`. */
  readonly "list_model_evaluations.query": {
    /** Only items after the one with this id. */
    readonly after?: string;
    /**
     * The most items.
     * @default 20
     */
    readonly limit?: number;
    /**
     * By age or step.
     * @default asc
     */
    readonly order?: "asc" | "desc";
    /** The project that was evaluated in, entity/project: the model's own by default. */
    readonly project?: string;
    /** Only those that name the checkpoint of this step. */
    readonly step?: number;
  };
  /** The query parameters of `list_models`. */
  readonly "list_models.query": {
    /** Only items after the one with this id. */
    readonly after?: string;
    /**
     * The most items.
     * @default 20
     */
    readonly limit?: number;
  };
  /** The query parameters of `list_training_job_events`. */
  readonly "list_training_job_events.query": {
    /** Only items after the one with this id. */
    readonly after?: string;
    /**
     * The service's own events too, such as submitted and claimed.
     */
    readonly include?: "all";
    /**
     * The most items.
     * @default 20
     */
    readonly limit?: number;
    /**
     * Seconds to wait for news when there is none.
     * @default 0
     */
    readonly wait?: number;
  };
  /** The query parameters of `list_training_jobs`. */
  readonly "list_training_jobs.query": {
    /** Only items after the one with this id. */
    readonly after?: string;
    /**
     * The most items.
     * @default 20
     */
    readonly limit?: number;
    /** Only jobs of this model. */
    readonly model_id?: string;
    /**
     * By age or step.
     * @default desc
     */
    readonly order?: "asc" | "desc";
    /** Only jobs with these statuses, with commas between. */
    readonly status?: string;
  };
  /** The query parameters of `listDatasets`. */
  readonly "listDatasets.query": {
    /** The most items. */
    readonly limit?: number;
    /** Items to skip first. */
    readonly offset?: number;
  };
  /** The query parameters of `listEvaluationObjects`. */
  readonly "listEvaluationObjects.query": {
    /** The most items. */
    readonly limit?: number;
    /** Items to skip first. */
    readonly offset?: number;
  };
  /** The query parameters of `listEvaluationRuns`. */
  readonly "listEvaluationRuns.query": {
    /** Repeat it for each. */
    readonly evaluation_run_ids?: readonly string[];
    /** Repeat it for each. */
    readonly evaluations?: readonly string[];
    /** The most items. */
    readonly limit?: number;
    /** Repeat it for each. */
    readonly models?: readonly string[];
    /** Items to skip first. */
    readonly offset?: number;
  };
  /** The query parameters of `listEvaluations`. */
  readonly "listEvaluations.query": {
    /** Only evaluations after this one: the `next` of the previous page. */
    readonly after?: string;
    /** Only those over this dataset. */
    readonly dataset?: string;
    /** Only runs of this evaluation object. */
    readonly evaluation_ref?: string;
    /** The maximum number of evaluations. Default: all. */
    readonly limit?: number;
    /** Only those with this id or name; may be given again. */
    readonly named?: readonly string[];
    /**
     * Evaluations with an unknown start are last in both orders.
     * @default oldest
     */
    readonly order?: "newest" | "oldest";
    /** Only those that are running, or only those that have ended. */
    readonly running?: boolean;
  };
  /** The query parameters of `listModelObjects`. */
  readonly "listModelObjects.query": {
    /** The most items. */
    readonly limit?: number;
    /** Items to skip first. */
    readonly offset?: number;
  };
  /** The query parameters of `listPredictions`. */
  readonly "listPredictions.query": {
    /** Only of this run. */
    readonly evaluation_run_id?: string;
    /** The most items. */
    readonly limit?: number;
    /** Items to skip first. */
    readonly offset?: number;
  };
  /** The query parameters of `listProjects`. */
  readonly "listProjects.query": {
    /** Only projects after this one: the `next` of the previous page. */
    readonly after?: string;
    /**
     * The maximum number of items to return.
     * @default 100
     */
    readonly limit?: number;
  };
  /** The query parameters of `listRuns`. */
  readonly "listRuns.query": {
    /** The `next` of the previous page. */
    readonly after?: string;
    /**
     * Runs of a page.
     * @default 50
     */
    readonly limit?: number;
  };
  /** The query parameters of `listScorers`. */
  readonly "listScorers.query": {
    /** The most items. */
    readonly limit?: number;
    /** Items to skip first. */
    readonly offset?: number;
  };
  /** The query parameters of `listScores`. */
  readonly "listScores.query": {
    /** Only of this run. */
    readonly evaluation_run_id?: string;
    /** The most items. */
    readonly limit?: number;
    /** Items to skip first. */
    readonly offset?: number;
  };
  /**
   * LiteralOperation
   * A constant.
   */
  readonly LiteralOperation: {
    /** Any JSON value. An object whose only key is `$literal` stands for the value of that key. */
    readonly $literal: unknown;
  };
  /** `Logged` of the OpenAPI document. */
  readonly Logged: {
    /** Numbers by name. */
    readonly metrics: {
      readonly [key: string]: number;
    };
  };
  /** `LogRequest` of the OpenAPI document. */
  readonly LogRequest: {
    /** The split of the data, such as train or val. */
    readonly split: string;
    /** Groups of trajectories: those of one group answer one question. */
    readonly trajectory_groups: readonly Schemas["TrajectoryGroup"][];
  };
  /**
   * LteOperation
   * True when the first is less than or equal to the second. A literal decides how the other side is read.
   */
  readonly LteOperation: {
    /** The first operand is less or equal. */
    readonly $lte: readonly [Schemas["Operand"], Schemas["Operand"]];
  };
  /**
   * LtOperation
   * True when the first is less than the second. A literal decides how the other side is read.
   */
  readonly LtOperation: {
    /** The first operand is less. */
    readonly $lt: readonly [Schemas["Operand"], Schemas["Operand"]];
  };
  /** `ModelEvaluation` of the OpenAPI document. */
  readonly ModelEvaluation: {
    /** An alias of a checkpoint, such as best. */
    readonly alias: string | null;
    /** When it ended, as RFC 3339; null while it runs. */
    readonly ended_at: string | null;
    /** The id. */
    readonly id: string;
    /** The name or the reference of the model. */
    readonly model: string;
    /** The name. */
    readonly name: string | null;
    /** The project within the entity. */
    readonly project: string;
    /** When it started, as RFC 3339; null if unknown. */
    readonly started_at: string | null;
    /** The training step; null without one. */
    readonly step: number | null;
    /** Trials, or their number. A row has one or several. */
    readonly trials: number;
  };
  /** `ModelEvaluationList` of the OpenAPI document. */
  readonly ModelEvaluationList: {
    /** The items. */
    readonly data: readonly Schemas["ModelEvaluation"][];
    /** The id of the first item; null when there is none. */
    readonly first_id: string;
    /** Whether more items follow. */
    readonly has_more: boolean;
    /** The id of the last item, for requesting the items after it. */
    readonly last_id: string;
    /**
     * The kind of this object.
     */
    readonly object: "list";
  };
  /** `ModelList` of the OpenAPI document. */
  readonly ModelList: {
    /** The items. */
    readonly data: readonly Schemas["InferenceModel"][];
    /**
     * The kind of this object.
     */
    readonly object: "list";
  };
  /** `ModelObject` of the OpenAPI document. */
  readonly ModelObject: {
    /** Attributes, set by the author. */
    readonly attributes: {
      readonly [key: string]: Json;
    };
    /**
     * Format: date-time
     * When it was created.
     */
    readonly created_at: string;
    /** The author's description; null without one. */
    readonly description: string | null;
    /** The digest of the content. */
    readonly digest: string;
    /** The name. */
    readonly name: string;
    /** The id of the object, the same in all of its versions. */
    readonly object_id: string;
    /** The source of the model. */
    readonly source_code: string;
    /** The number of the version; the first is 0. */
    readonly version_index: number;
  };
  /** `ModelRequest` of the OpenAPI document. */
  readonly ModelRequest: {
    /** The model that training starts from. */
    readonly base_model: string;
    /** The entity: a team or a person. */
    readonly entity?: string | null;
    /** The name. */
    readonly name?: string | null;
    /** The project within the entity. */
    readonly project?: string | null;
    /** Whether to return an existing model instead of refusing. */
    readonly return_existing?: boolean | null;
  };
  /** `ModelResponse` of the OpenAPI document. */
  readonly ModelResponse: {
    /** When it was created. */
    readonly created_at: number;
    /** The id. */
    readonly id: string;
    /** The name or the reference of the model. */
    readonly model: string;
    /**
     * The kind of this object.
     */
    readonly object: "response";
    /** The output; null if it failed. */
    readonly output: readonly {
      readonly [key: string]: Json;
    }[];
    /**
     * Its status.
     */
    readonly status: "in_progress" | "completed" | "incomplete";
    /** The tokens that were used. */
    readonly usage: {
      /** Present when the engine did not count all tokens; an answer that is not streamed also has the header `x-usage: estimated`. */
      readonly estimated?: boolean;
      /** Tokens of the input. */
      readonly input_tokens: number;
      /** Tokens of the output. */
      readonly output_tokens: number;
      /** Tokens of both together; null when unknown. */
      readonly total_tokens: number;
    };
  };
  /** `NewKey` of the OpenAPI document. */
  readonly NewKey: {
    /** What the key may do: read, write, train, ask models. */
    readonly can: readonly ("read" | "write" | "train" | "chat")[];
    /** Seconds since 1970. */
    readonly created_at: number | null;
    /** Seconds since 1970. */
    readonly expires_at: number | null;
    /** The public part of the key. */
    readonly id: string;
    /** The text to send as a Bearer token. */
    readonly key: string;
    /** The name of the key. */
    readonly name: string;
    /**
     * The kind of this object.
     */
    readonly object: "key";
    /** Seconds since 1970. */
    readonly revoked_at: number | null;
    /** The projects that the key is for: entity/project, entity/* or *. */
    readonly scopes: readonly string[];
  };
  /**
   * NotOperation
   * True when the one operand is false.
   */
  readonly NotOperation: {
    /** This does not hold. */
    readonly $not: readonly Schemas["Operand"][];
  };
  /**
   * Operand
   * A value: a constant, a field, a conversion, or whether a condition holds.
   */
  readonly Operand:
    | Schemas["LiteralOperation"]
    | Schemas["GetFieldOperator"]
    | Schemas["ConvertOperation"]
    | Schemas["AndOperation"]
    | Schemas["OrOperation"]
    | Schemas["NotOperation"]
    | Schemas["EqOperation"]
    | Schemas["GtOperation"]
    | Schemas["LtOperation"]
    | Schemas["GteOperation"]
    | Schemas["LteOperation"]
    | Schemas["InOperation"]
    | Schemas["ContainsOperation"];
  /**
   * OrOperation
   * True when at least one is true. An operand that is not a condition is read as a boolean.
   */
  readonly OrOperation: {
    /** At least one of these holds. */
    readonly $or: readonly Schemas["Operand"][];
  };
  /** `OtlpProblem` of the OpenAPI document. */
  readonly OtlpProblem: {
    /** The same as `message`. */
    readonly detail: string;
    /** Why the request was not answered. */
    readonly message: string;
  };
  /** The headers of `pause_fine_tuning_job`. */
  readonly "pause_fine_tuning_job.header": {
    /** The project, as team/project, which clients send as their project option. Default: the only project of the key, or default/fine-tuning; lists then cover every project of the key. */
    readonly "OpenAI-Project"?: string;
  };
  /** `Prediction` of the OpenAPI document. */
  readonly Prediction: {
    /** The id of the evaluation run. */
    readonly evaluation_run_id: string | null;
    /** The inputs of the call or the model. */
    readonly inputs: {
      readonly [key: string]: Json;
    };
    /** The name or the reference of the model. */
    readonly model: string;
    /**
     * The output; null if it failed.
     */
    readonly output: Json;
    /** The id of the prediction. */
    readonly prediction_id: string;
    /** The id of the user who logged it; null when unknown. */
    readonly wb_user_id: string | null;
  };
  /** `ProjectList` of the OpenAPI document. */
  readonly ProjectList: {
    /** The value of `after` for the next page; null on the last page. */
    readonly next: string | null;
    /** The projects. */
    readonly projects: readonly {
      /** The entity: a team or a person. */
      readonly entity: string;
      /** The evaluations, or their number. */
      readonly evaluations: number;
      /** When its newest evaluation started; null when unknown. */
      readonly last_started_at: string | null;
      /** The project within the entity. */
      readonly project: string;
    }[];
  };
  /**
   * Query
   * A condition on one trial.
   */
  readonly Query: {
    /** The condition, as an expression of operators. */
    readonly $expr:
      | Schemas["AndOperation"]
      | Schemas["OrOperation"]
      | Schemas["NotOperation"]
      | Schemas["EqOperation"]
      | Schemas["GtOperation"]
      | Schemas["LtOperation"]
      | Schemas["GteOperation"]
      | Schemas["LteOperation"]
      | Schemas["InOperation"]
      | Schemas["ContainsOperation"];
  };
  /** The answer of `ready`. */
  readonly "ready.answer": {
    /**
     * Its status.
     */
    readonly status: "ok";
  };
  /** `Refusal` of the OpenAPI document. */
  readonly Refusal: {
    /** The problem: a sentence, or a list with the path of each error. */
    readonly detail:
      | string
      | readonly {
          readonly [key: string]: Json;
        }[];
    /** The error; null without one. */
    readonly error: {
      /** A code for programs; null without one. */
      readonly code: string | null;
      /** A sentence, or a message of the conversation. */
      readonly message: string;
      /** The invalid parameter; null if it is not about one. */
      readonly param: string | null;
      /** The kind. */
      readonly type: string;
    };
  };
  /** `RemovedByName` of the OpenAPI document. */
  readonly RemovedByName: {
    /**
     * Whether it was deleted, or the deleted items.
     */
    readonly deleted: true;
    /** The name. */
    readonly name: string;
  };
  /** `ResponseRequest` of the OpenAPI document. */
  readonly ResponseRequest: {
    /** A text, or items: messages, function calls (`function_call`) and their outputs. */
    readonly input:
      | string
      | readonly {
          readonly [key: string]: any;
        }[];
    /** Instructions before the input; null without any. */
    readonly instructions?: string | null;
    /** The most tokens of the answer; the model's own limit by default. */
    readonly max_output_tokens?: number | null;
    /** The name or the reference of the model. */
    readonly model: string;
    /** Whether to stream the answer as server-sent events; false by default. */
    readonly stream?: boolean | null;
  } & {
    readonly [key: string]: any;
  };
  /** The headers of `resume_fine_tuning_job`. */
  readonly "resume_fine_tuning_job.header": {
    /** The project, as team/project, which clients send as their project option. Default: the only project of the key, or default/fine-tuning; lists then cover every project of the key. */
    readonly "OpenAI-Project"?: string;
  };
  /** The headers of `retrieve_file`. */
  readonly "retrieve_file.header": {
    /** The project, as team/project, which clients send as their project option. Default: the only project of the key, or default/fine-tuning; lists then cover every project of the key. */
    readonly "OpenAI-Project"?: string;
  };
  /** The headers of `retrieve_fine_tuning_job`. */
  readonly "retrieve_fine_tuning_job.header": {
    /** The project, as team/project, which clients send as their project option. Default: the only project of the key, or default/fine-tuning; lists then cover every project of the key. */
    readonly "OpenAI-Project"?: string;
  };
  /** `RlRequest` of the OpenAPI document. */
  readonly RlRequest: {
    /** Settings that may change; the defaults are the trainer's. */
    readonly experimental_config?: {
      /** How positive and negative advantages are balanced. */
      readonly advantage_balance?: number | null;
      /** Whether choices without log probabilities are trained on. */
      readonly allow_training_without_logprobs?: boolean | null;
      /** How far below 1 the importance ratio is clipped. */
      readonly epsilon?: number | null;
      /** How far above 1 the importance ratio is clipped. */
      readonly epsilon_high?: number | null;
      /** Whether importance ratios are of tokens or of sequences. */
      readonly importance_sampling_level?: "average" | "geometric_average" | "sequence" | "token" | null;
      /** The regularization of the Kimi K2 loss; none by default. */
      readonly kimi_k2_tau?: number | null;
      /** The weight of the penalty for distance from the reference. */
      readonly kl_penalty_coef?: number | null;
      /** The checkpoint that is the reference; the base model by default. */
      readonly kl_penalty_reference_step?: number | null;
      /** The policy whose samples the distance is measured on. */
      readonly kl_penalty_source?: "current_learner" | "sample" | null;
      /** The number of steps that the reference lags behind. */
      readonly kl_penalty_step_lag?: number | null;
      /** The learning rate; the trainer's own by default. */
      readonly learning_rate?: number | null;
      /** Tokens whose log probabilities are computed together. */
      readonly logprob_calculation_chunk_size?: number | null;
      /** The loss. */
      readonly loss_fn?: "cispo" | "ppo" | null;
      /** Whether tokens with an extreme probability ratio are left out. */
      readonly mask_prob_ratio?: boolean | null;
      /** The largest weight of a negative advantage. */
      readonly max_negative_advantage_importance_sampling_weight?: number | null;
      /** Whether advantages are divided by their standard deviation. */
      readonly normalize_advantages?: boolean | null;
      /** Tokens of a sequence that examples are packed into. */
      readonly packed_sequence_length?: number | null;
      /** Whether the importance ratio is clipped, as in PPO. */
      readonly ppo?: boolean | null;
      /** Whether log probabilities are computed before the step. */
      readonly precalculate_logprobs?: boolean | null;
      /** Whether rewards are divided by their standard deviation in a group. */
      readonly scale_rewards?: boolean | null;
      /** The largest importance weight. */
      readonly truncated_importance_sampling?: number | null;
    } | null;
    /** The id of the model. */
    readonly model_id: string;
    /** Groups of trajectories: those of one group answer one question. */
    readonly trajectory_groups: readonly Schemas["TrajectoryGroup"][];
  };
  /** `Run` of the OpenAPI document. */
  readonly Run: {
    /**
     * Format: date-time
     * When it was created.
     */
    readonly created_at: string;
    /** A display name; null without one. */
    readonly display_name: string;
    /** The exit code of the program; null while it runs. */
    readonly exit_code: number | null;
    /** The group, as a run's author named it; null without one. */
    readonly group: string | null;
    /**
     * Format: date-time
     * When its worker last reported; null before.
     */
    readonly heartbeat_at: string;
    /** How many steps were logged. */
    readonly history_lines: number;
    /** The id. */
    readonly id: string;
    /** The kind of training. */
    readonly job_type: string | null;
    /** The largest logged step; null before the first. */
    readonly last_step: number | null;
    /** The id of the model. */
    readonly model_id: string | null;
    /** The short name of the run in addresses. */
    readonly name: string;
    /** Notes on names in the question that match nothing. */
    readonly notes: string | null;
    /**
     * Its status.
     */
    readonly state: "running" | "finished" | "failed" | "crashed";
    /** The summary; null when there is none. */
    readonly summary: {
      readonly [key: string]: Json;
    };
    /** The tags. */
    readonly tags: readonly string[];
  };
  /** `RunDetails` of the OpenAPI document. */
  readonly RunDetails: {
    /** The settings, by name. */
    readonly config: {
      readonly [key: string]: Json;
    };
    /**
     * Format: date-time
     * When it was created.
     */
    readonly created_at: string;
    /** A display name; null without one. */
    readonly display_name: string;
    /** The exit code of the program; null while it runs. */
    readonly exit_code: number | null;
    /** The group, as a run's author named it; null without one. */
    readonly group: string | null;
    /**
     * Format: date-time
     * When its worker last reported; null before.
     */
    readonly heartbeat_at: string;
    /** The names of the metrics. */
    readonly history_keys: readonly string[];
    /** How many steps were logged. */
    readonly history_lines: number;
    /** The id. */
    readonly id: string;
    /** The kind of training. */
    readonly job_type: string | null;
    /** The largest logged step; null before the first. */
    readonly last_step: number | null;
    /** The id of the model. */
    readonly model_id: string | null;
    /** The short name of the run in addresses. */
    readonly name: string;
    /** Notes on names in the question that match nothing. */
    readonly notes: string | null;
    /**
     * Its status.
     */
    readonly state: "running" | "finished" | "failed" | "crashed";
    /** The summary; null when there is none. */
    readonly summary: {
      readonly [key: string]: Json;
    };
    /** The tags. */
    readonly tags: readonly string[];
  };
  /** `RunHistory` of the OpenAPI document. */
  readonly RunHistory: {
    /** The logged steps, or their number. */
    readonly history: readonly ({
      /** The step, if the client named it; otherwise the line's number, from 0. */
      readonly _step?: number | null;
    } & {
      readonly [key: string]: Json;
    })[];
    /** The step that follows. */
    readonly next_step: number | null;
  };
  /** `RunList` of the OpenAPI document. */
  readonly RunList: {
    /** The value for requesting the next page; null at the end. */
    readonly next: string | null;
    /** The runs. */
    readonly runs: readonly Schemas["Run"][];
  };
  /** `RunProblem` of the OpenAPI document. */
  readonly RunProblem: {
    /**
     * What is wrong: a text, or a list of issues.
     */
    readonly detail: Json;
    /** The errors; empty without any. */
    readonly errors?: readonly {
      readonly [key: string]: Json;
    }[];
  };
  /** `RunUpdate` of the OpenAPI document. */
  readonly RunUpdate: {
    /** Whether the run is over. */
    readonly complete?: boolean | null;
    /** The exit code of the program; null while it runs. */
    readonly exitcode?: number | null;
    /** The files. */
    readonly files?: {
      readonly [key: string]: {
        /** The content. */
        readonly content?: readonly string[];
        /** The number of items to skip; 0 by default. */
        readonly offset?: number;
      };
    };
    /** Names of files that were uploaded. */
    readonly uploaded?: readonly string[];
  };
  /** `Score` of the OpenAPI document. */
  readonly Score: {
    /** The id of the evaluation run. */
    readonly evaluation_run_id: string | null;
    /** The id of the score. */
    readonly score_id: string;
    /** The reference of the scorer. */
    readonly scorer: string;
    /**
     * The value.
     */
    readonly value: Json;
    /** The id of the user who logged it; null when unknown. */
    readonly wb_user_id: string | null;
  };
  /** The directions of a project's scores, in order of fields. */
  readonly ScoreDirections: {
    /** Which values of scores are better, by field. */
    readonly directions: readonly {
      /**
       * Which values are better; `none` for neither, which gives no verdict.
       */
      readonly direction: "higher" | "lower" | "none";
      /** `scores.<path>`. */
      readonly field: string;
    }[];
  };
  /** Directions by field; null unsets one. Other fields keep theirs. */
  readonly ScoreDirectionsBody: {
    /** Which values of scores are better, by field. */
    readonly directions: readonly {
      /**
       * asc for the smallest first, desc for the largest; for a measure, whether higher or lower is better.
       */
      readonly direction: "higher" | "lower" | "none" | null;
      /** The path of a field, as in scores.quality or inputs.category. */
      readonly field: string;
    }[];
  };
  /** `Scorer` of the OpenAPI document. */
  readonly Scorer: {
    /**
     * Format: date-time
     * When it was created.
     */
    readonly created_at: string;
    /** The author's description; null without one. */
    readonly description: string | null;
    /** The digest of the content. */
    readonly digest: string;
    /** The name. */
    readonly name: string;
    /** The id of the object, the same in all of its versions. */
    readonly object_id: string;
    /** The reference of the operation that scores. */
    readonly score_op: string;
    /** The number of the version; the first is 0. */
    readonly version_index: number;
  };
  /** `Session` of the OpenAPI document. */
  readonly Session: {
    /** The areas of the interface that this server has. */
    readonly areas: readonly string[];
    /** Whether the key is one for every project. */
    readonly everything: boolean;
    /** The id of the key; never its text. */
    readonly principal: string;
    /** The version of the server. */
    readonly version: string;
  };
  /** `SftRequest` of the OpenAPI document. */
  readonly SftRequest: {
    /** The settings, by name. */
    readonly config?: {
      /** Which of the assistant's turns are learned. */
      readonly assistant_turns?: "all" | "last" | null;
      /** Examples per step. */
      readonly batch_size?: number | "auto" | null;
      /** The learning rate; the trainer's own by default. */
      readonly learning_rate?: number | readonly number[] | null;
    } | null;
    /** Settings that may change; the defaults are the trainer's. */
    readonly experimental_config?: {
      readonly [key: string]: any;
    } | null;
    /** The id of the model. */
    readonly model_id: string;
    /** The address of the training data. */
    readonly training_data_url: string;
  };
  /** `StepsRequest` of the OpenAPI document. */
  readonly StepsRequest: {
    /** The steps. */
    readonly steps: readonly number[];
  };
  /** `SystemCheck` of the OpenAPI document. */
  readonly SystemCheck: {
    /** Whether the interface answers. */
    readonly api: boolean;
    /** Whether jobs for CPUs are run. */
    readonly cpu_queue: {
      /** Seconds. */
      readonly duration: number;
      /** The errors; empty without any. */
      readonly errors: readonly string[];
      /** Whether it worked. */
      readonly success: boolean;
    };
    /** Whether the store answers. */
    readonly database: boolean;
    /** Whether jobs for GPUs are run. */
    readonly gpu_queue: {
      /** Seconds. */
      readonly duration: number;
      /** The errors; empty without any. */
      readonly errors: readonly string[];
      /** Whether it worked. */
      readonly success: boolean;
    };
  };
  /** `TextCompletion` of the OpenAPI document. */
  readonly TextCompletion: {
    /** The answers. */
    readonly choices: readonly {
      /** Why the answer ended; null until then. */
      readonly finish_reason: string;
      /** The place, counted from 0. */
      readonly index: number;
      /** Log probabilities of the tokens; null unless requested. */
      readonly logprobs: {
        readonly [key: string]: Json;
      } | null;
      /** The text. */
      readonly text: string;
    }[];
    /** When it was created. */
    readonly created: number;
    /** The id. */
    readonly id: string;
    /** The name or the reference of the model. */
    readonly model: string;
    /**
     * The kind of this object.
     */
    readonly object: "text_completion";
    /** The tokens that were used. */
    readonly usage: {
      /** Tokens of the answer. */
      readonly completion_tokens: number;
      /** Present when the engine did not count all tokens; an answer that is not streamed also has the header `x-usage: estimated`. */
      readonly estimated?: boolean;
      /** Tokens of the prompt. */
      readonly prompt_tokens: number;
      /** Tokens of both together; null when unknown. */
      readonly total_tokens: number;
    };
  };
  /** `TextCompletionRequest` of the OpenAPI document. */
  readonly TextCompletionRequest: {
    /** How many answers are generated, of which the best n are returned. */
    readonly best_of?: number | null;
    /** Whether to return the prompt before the answer; false by default. */
    readonly echo?: boolean | null;
    /** Log probabilities of the tokens; null unless requested. */
    readonly logprobs?: number | null;
    /** The most tokens of the answer; the model's own limit by default. */
    readonly max_tokens?: number | null;
    /** The name or the reference of the model. */
    readonly model: string;
    /** How many answers to return; 1 by default. */
    readonly n?: number | null;
    /** A text, its tokens, or a list of up to 2048 texts or lists of tokens. */
    readonly prompt: string | readonly string[] | readonly number[] | readonly (readonly number[])[];
    /** Whether to stream the answer as server-sent events; false by default. */
    readonly stream?: boolean | null;
    /** The text that comes after the answer. */
    readonly suffix?: string | null;
  } & {
    readonly [key: string]: any;
  };
  /** `TrainingData` of the OpenAPI document. */
  readonly TrainingData: {
    /** Bytes. */
    readonly bytes: number;
    /** Rows, or their number. */
    readonly rows: number;
    /** The SHA-256 of the content, in hexadecimal digits. */
    readonly sha256: string;
    /** The address of the training data. */
    readonly training_data_url: string;
  };
  /** `TrainingJob` of the OpenAPI document. */
  readonly TrainingJob: {
    /** The number of the attempt; the first is 1. */
    readonly attempt: number;
    /** The step of the checkpoint; null before there is one. */
    readonly checkpoint_step: number | null;
    /**
     * Format: date-time
     * When it was created.
     */
    readonly created_at: string;
    /** The error; null without one. */
    readonly error: {
      /** A code for programs; null without one. */
      readonly code: string;
      /** A sentence, or a message of the conversation. */
      readonly message: string;
    } | null;
    /** When it finished; null while it runs. */
    readonly finished_at: string | null;
    /**
     * Format: uuid
     * The id.
     */
    readonly id: string;
    /** The most attempts. Stopping the server or the worker adds one. */
    readonly max_attempts: number;
    /**
     * Format: uuid
     * The id of the model.
     */
    readonly model_id: string;
    /** Trajectory groups that were submitted. */
    readonly num_submitted: number;
    /** Trajectory groups that can be learned from. */
    readonly num_trainable: number;
    /**
     * The kind of this object.
     */
    readonly object: "training.job";
    /** How much is done, from 0 to 1; null when unknown. */
    readonly progress: {
      /** The training step; null without one. */
      readonly step: number;
      /** The total number of items. */
      readonly total: number | null;
    };
    /** The number of items left out. */
    readonly skipped: readonly {
      /** The group, as a run's author named it; null without one. */
      readonly group: number;
      /** The reason. */
      readonly reason: string;
      /** The index of the trajectory. */
      readonly trajectory: number;
    }[];
    /** When it started, as RFC 3339; null if unknown. */
    readonly started_at: string | null;
    /**
     * Its status.
     */
    readonly status:
      | "queued"
      | "starting"
      | "running"
      | "finalizing"
      | "cancelling"
      | "succeeded"
      | "failed"
      | "cancelled";
    /**
     * The kind.
     */
    readonly type: "rl" | "sft";
    /** Warnings about the answer, as sentences. */
    readonly warnings: readonly {
      /** A code for programs; null without one. */
      readonly code: string;
      /** The number of them. */
      readonly count: number;
      /** A sentence, or a message of the conversation. */
      readonly message: string;
    }[];
  };
  /** `TrainingJobEvent` of the OpenAPI document. */
  readonly TrainingJobEvent: {
    /**
     * Format: date-time
     * When it was created.
     */
    readonly created_at: string;
    /** The items. */
    readonly data: {
      readonly [key: string]: Json;
    };
    /**
     * Format: uuid
     * The id.
     */
    readonly id: string;
    /** The kind. */
    readonly type: string;
  };
  /** `TrainingJobEventList` of the OpenAPI document. */
  readonly TrainingJobEventList: {
    /** The items. */
    readonly data: readonly Schemas["TrainingJobEvent"][];
    /** The id of the first item; null when there is none. */
    readonly first_id: string;
    /** Whether more items follow. */
    readonly has_more: boolean;
    /** The id of the last item, for requesting the items after it. */
    readonly last_id: string;
    /**
     * The kind of this object.
     */
    readonly object: "list";
  };
  /** `TrainingJobList` of the OpenAPI document. */
  readonly TrainingJobList: {
    /** The items. */
    readonly data: readonly Schemas["TrainingJob"][];
    /** The id of the first item; null when there is none. */
    readonly first_id: string;
    /** Whether more items follow. */
    readonly has_more: boolean;
    /** The id of the last item, for requesting the items after it. */
    readonly last_id: string;
    /**
     * The kind of this object.
     */
    readonly object: "list";
  };
  /** `TrainingModel` of the OpenAPI document. */
  readonly TrainingModel: {
    /** The model that training starts from. */
    readonly base_model: string;
    /** The entity: a team or a person. */
    readonly entity: string;
    /**
     * Format: uuid
     * The id.
     */
    readonly id: string;
    /** The name. */
    readonly name: string;
    /** The project within the entity. */
    readonly project: string;
    /** The id of the run that has the model's metrics; null without one. */
    readonly run_id: string | null;
  };
  /** `TrainingModelDetails` of the OpenAPI document. */
  readonly TrainingModelDetails: {
    /** The job that trains it now; null when none does. */
    readonly active_job_id: string | null;
    /** The model that training starts from. */
    readonly base_model: string;
    /**
     * Format: date-time
     * When it was created.
     */
    readonly created_at: string;
    /** The entity: a team or a person. */
    readonly entity: string;
    /**
     * Format: uuid
     * The id.
     */
    readonly id: string;
    /** Numbers by name. */
    readonly metrics: {
      readonly [key: string]: number;
    };
    /** The name. */
    readonly name: string;
    /**
     * The kind of this object.
     */
    readonly object: "training.model";
    /** The project within the entity. */
    readonly project: string;
    /** The id of the run that has the model's metrics; null without one. */
    readonly run_id: string | null;
    /** The step of its newest checkpoint; 0 is the base model. */
    readonly step: number;
  };
  /** `TrainingModelList` of the OpenAPI document. */
  readonly TrainingModelList: {
    /** The items. */
    readonly data: readonly Schemas["TrainingModelDetails"][];
    /** The id of the first item; null when there is none. */
    readonly first_id: string;
    /** Whether more items follow. */
    readonly has_more: boolean;
    /** The id of the last item, for requesting the items after it. */
    readonly last_id: string;
    /**
     * The kind of this object.
     */
    readonly object: "list";
  };
  /** `TrajectoryGroup` of the OpenAPI document. */
  readonly TrajectoryGroup: {
    /** Errors while the trajectories were sampled. */
    readonly exceptions?: readonly unknown[] | null;
    /** The trajectories of the group. */
    readonly trajectories: readonly {
      /** Further conversations with the same reward. */
      readonly additional_histories?:
        | readonly {
            /** The conversation: messages, and the choices of the model that is trained. */
            readonly messages_and_choices?: readonly {
              readonly [key: string]: any;
            }[];
            /** The tools that the model could call. */
            readonly tools?: readonly unknown[] | null;
          }[]
        | null;
      /** The conversation: messages, and the choices of the model that is trained. */
      readonly messages_and_choices?: readonly {
        readonly [key: string]: any;
      }[];
      /** Numbers by name. */
      readonly metrics?: {
        readonly [key: string]: number | boolean;
      } | null;
      /** The reward of the trajectory. */
      readonly reward?: number;
      /** The tools that the model could call. */
      readonly tools?: readonly unknown[] | null;
    }[];
  };
  /** `UsageReport` of the OpenAPI document. */
  readonly UsageReport: {
    /** The lines of the report. */
    readonly data: readonly {
      /** Requests that the client cancelled. */
      readonly aborted?: number;
      /** Cached tokens of the prompt. */
      readonly cached_tokens?: number;
      /** US dollars as an exact decimal, of the requests with a price; null when none has one. */
      readonly cost_usd?: string | null;
      /** The day, in UTC. */
      readonly day?: string;
      /** Tokens that were delivered to the client. */
      readonly delivered_tokens?: number;
      /** The entity: a team or a person. */
      readonly entity: string;
      /** Requests whose tokens were estimated. */
      readonly estimated?: number;
      /** Requests that failed. */
      readonly failed?: number;
      /** Tokens that were generated, whether or not they were delivered. */
      readonly generated_tokens?: number;
      /** The ID of an API key. */
      readonly key?: string;
      /** Its name; null for keys that have none. */
      readonly key_name?: string | null;
      /** The name or the reference of the model. */
      readonly model?: string;
      /** The month, in UTC. */
      readonly month?: string;
      /** The project within the entity. */
      readonly project: string;
      /** Tokens of the prompt. */
      readonly prompt_tokens?: number;
      /** How many requests. */
      readonly requests: number;
      /** The training step; null without one. */
      readonly step?: number | null;
      /** How many requests were to models without a price. */
      readonly unpriced_requests?: number;
      /** The end user, as the caller names users; null without one. */
      readonly user?: string | null;
    }[];
    /** Requests of all keys and projects whose record is lost or damaged on disk; no report includes them. */
    readonly lost_records: number;
    /**
     * The kind of this object.
     */
    readonly object: "list";
  };
  /** One thing that is wrong with a request. */
  readonly ValidationError: {
    /** The path in the request, from the body inwards. */
    readonly loc: readonly (string | number)[];
    /** What is wrong. */
    readonly msg: string;
    /** The kind. */
    readonly type: string;
  };
  /** `WatchedProgress` of the OpenAPI document. */
  readonly WatchedProgress: {
    /** A display name; null without one. */
    readonly display_name: string | null;
    /**
     * Format: date-time
     * Null while it is running.
     */
    readonly ended_at: string | null;
    /** The id of the evaluation's root call. */
    readonly evaluation_call_id: string;
    /** The statistics of each score dimension. */
    readonly scorer_stats: readonly Schemas["EvalResultsScorerStats"][];
    /**
     * Format: date-time
     * When it started, as RFC 3339; null if unknown.
     */
    readonly started_at: string | null;
    /** Including running ones. */
    readonly trial_count: number;
    /** Over the last few seconds. */
    readonly trials_per_second: number;
  };
  /** The query parameters of `watchEvaluations`. */
  readonly "watchEvaluations.query": {
    /** An evaluation to watch; may be repeated. */
    readonly evaluation: readonly string[];
  };
  /**
   * The answer of `weaveCallEnd`.
   */
  readonly "weaveCallEnd.answer": Json;
  /** The body of `weaveCallEnd`. */
  readonly "weaveCallEnd.body": {
    /** The end of the call. */
    readonly end: {
      /** A display name; null without one. */
      readonly display_name?: string | null;
      /**
       * Format: date-time
       * When it ended, as RFC 3339; null while it runs.
       */
      readonly ended_at: string;
      /** The error of the call; null without one. */
      readonly exception?: string | null;
      /** The id. */
      readonly id: string;
      /** Whether the call is part of an evaluation. Ignored: every call is stored. */
      readonly is_eval?: boolean | null;
      /** The output; null if it failed. */
      readonly output?: unknown;
      /** The project, as entity/project. */
      readonly project_id: string;
      /** When it started, as RFC 3339; null if unknown. */
      readonly started_at?: string | null;
      /** The summary; null when there is none. */
      readonly summary?: {
        readonly [key: string]: any;
      } | null;
      /** The id of the trace. */
      readonly trace_id?: string | null;
      /** The step of that run when the call ended. */
      readonly wb_run_step_end?: number | null;
    };
  };
  /**
   * The answer of `weaveCallRead`.
   */
  readonly "weaveCallRead.answer": Json;
  /** The body of `weaveCallRead`. */
  readonly "weaveCallRead.body": {
    /** The id. */
    readonly id: string;
    /** Whether to include the cost of the model's calls, at the project's prices, else at the server's; false by default. */
    readonly include_costs?: boolean | null;
    /** false: sizes in storage are not counted */
    readonly include_storage_size?: false | null;
    /** false: sizes in storage are not counted */
    readonly include_total_storage_size?: false | null;
    /** The project, as entity/project. */
    readonly project_id: string;
  };
  /**
   * The answer of `weaveCallsDelete`.
   */
  readonly "weaveCallsDelete.answer": Json;
  /** The body of `weaveCallsDelete`. */
  readonly "weaveCallsDelete.body": {
    /** The ids of calls. */
    readonly call_ids: readonly string[];
    /** The project, as entity/project. */
    readonly project_id: string;
    /** null: the API key identifies the caller */
    readonly wb_user_id?: null;
  };
  /**
   * The answer of `weaveCallsQueryStats`.
   */
  readonly "weaveCallsQueryStats.answer": Json;
  /** The body of `weaveCallsQueryStats`. */
  readonly "weaveCallsQueryStats.body": {
    /** Columns whose references are followed: filters, sort keys and responses use what they refer to; none by default. */
    readonly expand_columns?: readonly string[] | null;
    /** The evaluations; all by default. */
    readonly filter?: {
      /** The ids of calls. */
      readonly call_ids?: readonly string[] | null;
      /** Only calls that have one of these references among their inputs. */
      readonly input_refs?: readonly string[] | null;
      /** Only calls of these operations. */
      readonly op_names?: readonly string[] | null;
      /** Only calls that have one of these references as their output. */
      readonly output_refs?: readonly string[] | null;
      /** Only calls whose parent is one of these. */
      readonly parent_ids?: readonly string[] | null;
      /** Only calls of these threads. */
      readonly thread_ids?: readonly string[] | null;
      /** Only calls of these traces. */
      readonly trace_ids?: readonly string[] | null;
      /** Whether to take only calls without a parent; false by default. */
      readonly trace_roots_only?: boolean | null;
      /** Only calls of these turns. */
      readonly turn_ids?: readonly string[] | null;
      /** Only data that was logged in these runs. */
      readonly wb_run_ids?: readonly string[] | null;
      /** Only data that these users logged. */
      readonly wb_user_ids?: readonly string[] | null;
    } | null;
    /** false: sizes in storage are not counted */
    readonly include_total_storage_size?: false | null;
    /** The maximum number of items to return. */
    readonly limit?: number | null;
    /** The project, as entity/project. */
    readonly project_id: string;
    /** The query that selects the rows. */
    readonly query?: unknown;
  };
  /** The body of `weaveCallsStreamQuery`. */
  readonly "weaveCallsStreamQuery.body": {
    /** The columns to return; all by default. */
    readonly columns?: readonly string[] | null;
    /** Columns whose references are followed: filters, sort keys and responses use what they refer to; none by default. */
    readonly expand_columns?: readonly string[] | null;
    /** The evaluations; all by default. */
    readonly filter?: {
      /** The ids of calls. */
      readonly call_ids?: readonly string[] | null;
      /** Only calls that have one of these references among their inputs. */
      readonly input_refs?: readonly string[] | null;
      /** Only calls of these operations. */
      readonly op_names?: readonly string[] | null;
      /** Only calls that have one of these references as their output. */
      readonly output_refs?: readonly string[] | null;
      /** Only calls whose parent is one of these. */
      readonly parent_ids?: readonly string[] | null;
      /** Only calls of these threads. */
      readonly thread_ids?: readonly string[] | null;
      /** Only calls of these traces. */
      readonly trace_ids?: readonly string[] | null;
      /** Whether to take only calls without a parent; false by default. */
      readonly trace_roots_only?: boolean | null;
      /** Only calls of these turns. */
      readonly turn_ids?: readonly string[] | null;
      /** Only data that was logged in these runs. */
      readonly wb_run_ids?: readonly string[] | null;
      /** Only data that these users logged. */
      readonly wb_user_ids?: readonly string[] | null;
    } | null;
    /** Whether to include the cost of the model's calls, at the project's prices, else at the server's; false by default. */
    readonly include_costs?: boolean | null;
    /** Whether to include the feedback about each call, under summary.weave.feedback; false by default. */
    readonly include_feedback?: boolean | null;
    /** false: sizes in storage are not counted */
    readonly include_storage_size?: false | null;
    /** false: sizes in storage are not counted */
    readonly include_total_storage_size?: false | null;
    /** false: users have no names */
    readonly include_usernames?: false | null;
    /** Whether to take only the latest version of each; false by default. */
    readonly latest_only?: boolean | null;
    /** The maximum number of items to return. */
    readonly limit?: number | null;
    /** The number of items to skip; 0 by default. */
    readonly offset?: number | null;
    /** The project, as entity/project. */
    readonly project_id: string;
    /** The query that selects the rows. */
    readonly query?: unknown;
    /** Whether the answer has the references of expand_columns resolved; true by default. */
    readonly return_expanded_column_values?: boolean | null;
    /** The keys to sort by, most significant first. */
    readonly sort_by?:
      | readonly {
          /**
           * asc for the smallest first, desc for the largest; for a measure, whether higher or lower is better.
           */
          readonly direction: "asc" | "desc";
          /** The path of a field, as in scores.quality or inputs.category. */
          readonly field: string;
        }[]
      | null;
  };
  /**
   * The answer of `weaveCallStart`.
   */
  readonly "weaveCallStart.answer": Json;
  /** The body of `weaveCallStart`. */
  readonly "weaveCallStart.body": {
    /** The start of the call. */
    readonly start: {
      /** Attributes, set by the author. */
      readonly attributes: {
        readonly [key: string]: any;
      };
      /** A display name; null without one. */
      readonly display_name?: string | null;
      /** The id. */
      readonly id?: string | null;
      /** The inputs of the call or the model. */
      readonly inputs: {
        readonly [key: string]: any;
      };
      /** The reference, or the name, of the operation. */
      readonly op_name: string;
      /** null: spans are sent to /otel/v1/traces */
      readonly otel_dump?: null;
      /** The id of the calling call; null for a root. */
      readonly parent_id?: string | null;
      /** The project, as entity/project. */
      readonly project_id: string;
      /**
       * Format: date-time
       * When it started, as RFC 3339; null if unknown.
       */
      readonly started_at: string;
      /** The id of the thread; null without one. */
      readonly thread_id?: string | null;
      /** The id of the trace. */
      readonly trace_id?: string | null;
      /** The id of the turn within the thread; null without one. */
      readonly turn_id?: string | null;
      /** The id of the run that it was logged in; null without one. */
      readonly wb_run_id?: string | null;
      /** The step of that run when the call started. */
      readonly wb_run_step?: number | null;
      /** The id of the user who logged it; null when unknown. */
      readonly wb_user_id?: string | null;
    };
  };
  /**
   * The answer of `weaveCallUpdate`.
   */
  readonly "weaveCallUpdate.answer": Json;
  /** The body of `weaveCallUpdate`. */
  readonly "weaveCallUpdate.body": {
    /** The id of the call. */
    readonly call_id: string;
    /** A display name; null without one. */
    readonly display_name?: string | null;
    /** The project, as entity/project. */
    readonly project_id: string;
    /** null: the API key identifies the caller */
    readonly wb_user_id?: null;
  };
  /**
   * The answer of `weaveCallUpsertBatch`.
   */
  readonly "weaveCallUpsertBatch.answer": Json;
  /** The body of `weaveCallUpsertBatch`. */
  readonly "weaveCallUpsertBatch.body": {
    /** Starts and ends of calls, in order. */
    readonly batch: readonly (
      | {
          /**
           * The value itself, the difference between evaluations, or the order of calls.
           */
          readonly mode: "start";
          /** The request of this item. */
          readonly req: {
            /** The start of the call. */
            readonly start: {
              /** Attributes, set by the author. */
              readonly attributes: {
                readonly [key: string]: any;
              };
              /** A display name; null without one. */
              readonly display_name?: string | null;
              /** The id. */
              readonly id?: string | null;
              /** The inputs of the call or the model. */
              readonly inputs: {
                readonly [key: string]: any;
              };
              /** The reference, or the name, of the operation. */
              readonly op_name: string;
              /** null: spans are sent to /otel/v1/traces */
              readonly otel_dump?: null;
              /** The id of the calling call; null for a root. */
              readonly parent_id?: string | null;
              /** The project, as entity/project. */
              readonly project_id: string;
              /**
               * Format: date-time
               * When it started, as RFC 3339; null if unknown.
               */
              readonly started_at: string;
              /** The id of the thread; null without one. */
              readonly thread_id?: string | null;
              /** The id of the trace. */
              readonly trace_id?: string | null;
              /** The id of the turn within the thread; null without one. */
              readonly turn_id?: string | null;
              /** The id of the run that it was logged in; null without one. */
              readonly wb_run_id?: string | null;
              /** The step of that run when the call started. */
              readonly wb_run_step?: number | null;
              /** The id of the user who logged it; null when unknown. */
              readonly wb_user_id?: string | null;
            };
          };
        }
      | {
          /**
           * The value itself, the difference between evaluations, or the order of calls.
           */
          readonly mode: "end";
          /** The request of this item. */
          readonly req: {
            /** The end of the call. */
            readonly end: {
              /** A display name; null without one. */
              readonly display_name?: string | null;
              /**
               * Format: date-time
               * When it ended, as RFC 3339; null while it runs.
               */
              readonly ended_at: string;
              /** The error of the call; null without one. */
              readonly exception?: string | null;
              /** The id. */
              readonly id: string;
              /** Whether the call is part of an evaluation. Ignored: every call is stored. */
              readonly is_eval?: boolean | null;
              /** The output; null if it failed. */
              readonly output?: unknown;
              /** The project, as entity/project. */
              readonly project_id: string;
              /** When it started, as RFC 3339; null if unknown. */
              readonly started_at?: string | null;
              /** The summary; null when there is none. */
              readonly summary?: {
                readonly [key: string]: any;
              } | null;
              /** The id of the trace. */
              readonly trace_id?: string | null;
              /** The step of that run when the call ended. */
              readonly wb_run_step_end?: number | null;
            };
          };
        }
      | {
          /**
           * The value itself, the difference between evaluations, or the order of calls.
           */
          readonly mode: "complete";
          /** The request of this item. */
          readonly req: {
            /** Attributes, set by the author. */
            readonly attributes: {
              readonly [key: string]: any;
            };
            /** A display name; null without one. */
            readonly display_name?: string | null;
            /**
             * Format: date-time
             * When it ended, as RFC 3339; null while it runs.
             */
            readonly ended_at: string;
            /** The error of the call; null without one. */
            readonly exception?: string | null;
            /** The id. */
            readonly id: string;
            /** The inputs of the call or the model. */
            readonly inputs: {
              readonly [key: string]: any;
            };
            /** The reference, or the name, of the operation. */
            readonly op_name: string;
            /** null: spans are sent to /otel/v1/traces */
            readonly otel_dump?: null;
            /** The output; null if it failed. */
            readonly output?: unknown;
            /** The id of the calling call; null for a root. */
            readonly parent_id?: string | null;
            /** The project, as entity/project. */
            readonly project_id: string;
            /**
             * Format: date-time
             * When it started, as RFC 3339; null if unknown.
             */
            readonly started_at: string;
            /** The summary; null when there is none. */
            readonly summary?: {
              readonly [key: string]: any;
            } | null;
            /** The id of the thread; null without one. */
            readonly thread_id?: string | null;
            /** The id of the trace. */
            readonly trace_id: string;
            /** The id of the turn within the thread; null without one. */
            readonly turn_id?: string | null;
            /** The id of the run that it was logged in; null without one. */
            readonly wb_run_id?: string | null;
            /** The step of that run when the call started. */
            readonly wb_run_step?: number | null;
            /** The step of that run when the call ended. */
            readonly wb_run_step_end?: number | null;
            /** The id of the user who logged it; null when unknown. */
            readonly wb_user_id?: string | null;
          };
        }
    )[];
  };
  /**
   * The answer of `weaveCostCreate`.
   */
  readonly "weaveCostCreate.answer": Json;
  /** The body of `weaveCostCreate`. */
  readonly "weaveCostCreate.body": {
    /** The costs of tokens, by the name of the model. */
    readonly costs: {
      readonly [key: string]: {
        /** US dollars for one token of a request that the engine adds to its cache; 0 means that it costs as much as the request's other tokens. */
        readonly cache_creation_input_token_cost?: number;
        /** US dollars for one cached token of a request; 0 means that it costs as much as the request's other tokens. */
        readonly cache_read_input_token_cost?: number;
        /** US dollars for one token of an answer. */
        readonly completion_token_cost: number;
        /** 'USD': costs are US dollars here */
        readonly completion_token_cost_unit?: "USD" | null;
        /** When the cost takes effect; now by default. */
        readonly effective_date?: string | null;
        /** US dollars for one token of a request. */
        readonly prompt_token_cost: number;
        /** 'USD': costs are US dollars here */
        readonly prompt_token_cost_unit?: "USD" | null;
        /** The provider of the model; `default` by default. */
        readonly provider_id?: string | null;
      };
    };
    /** The project, as entity/project. */
    readonly project_id: string;
    /** null: the API key identifies the caller */
    readonly wb_user_id?: null;
  };
  /**
   * The answer of `weaveCostPurge`.
   */
  readonly "weaveCostPurge.answer": Json;
  /** The body of `weaveCostPurge`. */
  readonly "weaveCostPurge.body": {
    /** The project, as entity/project. */
    readonly project_id: string;
    /** The query that selects the rows. */
    readonly query: {
      readonly [key: string]: any;
    };
  };
  /**
   * The answer of `weaveCostQuery`.
   */
  readonly "weaveCostQuery.answer": Json;
  /** The body of `weaveCostQuery`. */
  readonly "weaveCostQuery.body": {
    /** The fields. */
    readonly fields?: readonly string[] | null;
    /** The maximum number of items to return. */
    readonly limit?: number | null;
    /** The number of items to skip; 0 by default. */
    readonly offset?: number | null;
    /** The project, as entity/project. */
    readonly project_id: string;
    /** The query that selects the rows. */
    readonly query?: unknown;
    /** The keys to sort by, most significant first. */
    readonly sort_by?:
      | readonly {
          /**
           * asc for the smallest first, desc for the largest; for a measure, whether higher or lower is better.
           */
          readonly direction: "asc" | "desc";
          /** The path of a field, as in scores.quality or inputs.category. */
          readonly field: string;
        }[]
      | null;
  };
  /**
   * The answer of `weaveFeedbackBatchCreate`.
   */
  readonly "weaveFeedbackBatchCreate.answer": Json;
  /** The body of `weaveFeedbackBatchCreate`. */
  readonly "weaveFeedbackBatchCreate.body": {
    /** Starts and ends of calls, in order. */
    readonly batch: readonly {
      /** The reference of the requested annotation; null without one. */
      readonly annotation_ref?: string | null;
      /** The reference of the call. */
      readonly call_ref?: string | null;
      /** The author; null if unknown. */
      readonly creator?: string | null;
      /** The kind of the feedback. */
      readonly feedback_type: string;
      /** The id. */
      readonly id?: string | null;
      /** The content. */
      readonly payload: {
        readonly [key: string]: any;
      };
      /** The project, as entity/project. */
      readonly project_id: string;
      /** The annotation queue that the feedback belongs to. */
      readonly queue_id?: string | null;
      /** The reference of the scorer that created the feedback; null if a person did. */
      readonly runnable_ref?: string | null;
      /** The scorer's confidence, by name. */
      readonly scorer_rating_confidences?: {
        readonly [key: string]: number;
      };
      /** The reasons, by name. */
      readonly scorer_rating_reasons?: {
        readonly [key: string]: string;
      };
      /** The ratings from a scorer, by name. */
      readonly scorer_ratings?: {
        readonly [key: string]: number;
      };
      /** The scorer's confidence, by tag. */
      readonly scorer_tag_confidences?: {
        readonly [key: string]: number;
      };
      /** The reasons, by tag. */
      readonly scorer_tag_reasons?: {
        readonly [key: string]: string;
      };
      /** The tags from a scorer. */
      readonly scorer_tags?: readonly string[];
      /** The trace of the scorer. */
      readonly scorer_trace_id?: string;
      /** The agent of the span that the feedback is about. */
      readonly span_agent_name?: string;
      /** The version of that agent. */
      readonly span_agent_version?: string;
      /** The conversation of that span. */
      readonly span_conversation_id?: string;
      /** The status of that span. */
      readonly span_status_code?: string;
      /** The trace of that span. */
      readonly span_trace_id?: string;
      /** The reference of the trigger of the feedback; null without one. */
      readonly trigger_ref?: string | null;
      /** The id of the user who logged it; null when unknown. */
      readonly wb_user_id?: string | null;
      /** The reference of the call or object that the feedback is about. */
      readonly weave_ref: string;
    }[];
  };
  /**
   * The answer of `weaveFeedbackCreate`.
   */
  readonly "weaveFeedbackCreate.answer": Json;
  /** The body of `weaveFeedbackCreate`. */
  readonly "weaveFeedbackCreate.body": {
    /** The reference of the requested annotation; null without one. */
    readonly annotation_ref?: string | null;
    /** The reference of the call. */
    readonly call_ref?: string | null;
    /** The author; null if unknown. */
    readonly creator?: string | null;
    /** The kind of the feedback. */
    readonly feedback_type: string;
    /** The id. */
    readonly id?: string | null;
    /** The content. */
    readonly payload: {
      readonly [key: string]: any;
    };
    /** The project, as entity/project. */
    readonly project_id: string;
    /** The annotation queue that the feedback belongs to. */
    readonly queue_id?: string | null;
    /** The reference of the scorer that created the feedback; null if a person did. */
    readonly runnable_ref?: string | null;
    /** The scorer's confidence, by name. */
    readonly scorer_rating_confidences?: {
      readonly [key: string]: number;
    };
    /** The reasons, by name. */
    readonly scorer_rating_reasons?: {
      readonly [key: string]: string;
    };
    /** The ratings from a scorer, by name. */
    readonly scorer_ratings?: {
      readonly [key: string]: number;
    };
    /** The scorer's confidence, by tag. */
    readonly scorer_tag_confidences?: {
      readonly [key: string]: number;
    };
    /** The reasons, by tag. */
    readonly scorer_tag_reasons?: {
      readonly [key: string]: string;
    };
    /** The tags from a scorer. */
    readonly scorer_tags?: readonly string[];
    /** The trace of the scorer. */
    readonly scorer_trace_id?: string;
    /** The agent of the span that the feedback is about. */
    readonly span_agent_name?: string;
    /** The version of that agent. */
    readonly span_agent_version?: string;
    /** The conversation of that span. */
    readonly span_conversation_id?: string;
    /** The status of that span. */
    readonly span_status_code?: string;
    /** The trace of that span. */
    readonly span_trace_id?: string;
    /** The reference of the trigger of the feedback; null without one. */
    readonly trigger_ref?: string | null;
    /** The id of the user who logged it; null when unknown. */
    readonly wb_user_id?: string | null;
    /** The reference of the call or object that the feedback is about. */
    readonly weave_ref: string;
  };
  /**
   * The answer of `weaveFeedbackPurge`.
   */
  readonly "weaveFeedbackPurge.answer": Json;
  /** The body of `weaveFeedbackPurge`. */
  readonly "weaveFeedbackPurge.body": {
    /** The project, as entity/project. */
    readonly project_id: string;
    /** The query that selects the rows. */
    readonly query: {
      readonly [key: string]: any;
    };
  };
  /**
   * The answer of `weaveFeedbackQuery`.
   */
  readonly "weaveFeedbackQuery.answer": Json;
  /** The body of `weaveFeedbackQuery`. */
  readonly "weaveFeedbackQuery.body": {
    /** The fields. */
    readonly fields?: readonly string[] | null;
    /** The maximum number of items to return. */
    readonly limit?: number | null;
    /** The number of items to skip; 0 by default. */
    readonly offset?: number | null;
    /** The project, as entity/project. */
    readonly project_id: string;
    /** The query that selects the rows. */
    readonly query?: unknown;
    /** The keys to sort by, most significant first. */
    readonly sort_by?:
      | readonly {
          /**
           * asc for the smallest first, desc for the largest; for a measure, whether higher or lower is better.
           */
          readonly direction: "asc" | "desc";
          /** The path of a field, as in scores.quality or inputs.category. */
          readonly field: string;
        }[]
      | null;
  };
  /**
   * The answer of `weaveFeedbackReplace`.
   */
  readonly "weaveFeedbackReplace.answer": Json;
  /** The body of `weaveFeedbackReplace`. */
  readonly "weaveFeedbackReplace.body": {
    /** The reference of the requested annotation; null without one. */
    readonly annotation_ref?: string | null;
    /** The reference of the call. */
    readonly call_ref?: string | null;
    /** The author; null if unknown. */
    readonly creator?: string | null;
    /** The id of the feedback. */
    readonly feedback_id: string;
    /** The kind of the feedback. */
    readonly feedback_type: string;
    /** The id. */
    readonly id?: string | null;
    /** The content. */
    readonly payload: {
      readonly [key: string]: any;
    };
    /** The project, as entity/project. */
    readonly project_id: string;
    /** The annotation queue that the feedback belongs to. */
    readonly queue_id?: string | null;
    /** The reference of the scorer that created the feedback; null if a person did. */
    readonly runnable_ref?: string | null;
    /** The scorer's confidence, by name. */
    readonly scorer_rating_confidences?: {
      readonly [key: string]: number;
    };
    /** The reasons, by name. */
    readonly scorer_rating_reasons?: {
      readonly [key: string]: string;
    };
    /** The ratings from a scorer, by name. */
    readonly scorer_ratings?: {
      readonly [key: string]: number;
    };
    /** The scorer's confidence, by tag. */
    readonly scorer_tag_confidences?: {
      readonly [key: string]: number;
    };
    /** The reasons, by tag. */
    readonly scorer_tag_reasons?: {
      readonly [key: string]: string;
    };
    /** The tags from a scorer. */
    readonly scorer_tags?: readonly string[];
    /** The trace of the scorer. */
    readonly scorer_trace_id?: string;
    /** The agent of the span that the feedback is about. */
    readonly span_agent_name?: string;
    /** The version of that agent. */
    readonly span_agent_version?: string;
    /** The conversation of that span. */
    readonly span_conversation_id?: string;
    /** The status of that span. */
    readonly span_status_code?: string;
    /** The trace of that span. */
    readonly span_trace_id?: string;
    /** The reference of the trigger of the feedback; null without one. */
    readonly trigger_ref?: string | null;
    /** The id of the user who logged it; null when unknown. */
    readonly wb_user_id?: string | null;
    /** The reference of the call or object that the feedback is about. */
    readonly weave_ref: string;
  };
  /** The body of `weaveFileContent`. */
  readonly "weaveFileContent.body": {
    /** The digest of the content. */
    readonly digest: string;
    /** The project, as entity/project. */
    readonly project_id: string;
  };
  /**
   * The answer of `weaveFileCreate`.
   */
  readonly "weaveFileCreate.answer": Json;
  /**
   * The answer of `weaveObjCreate`.
   */
  readonly "weaveObjCreate.answer": Json;
  /** The body of `weaveObjCreate`. */
  readonly "weaveObjCreate.body": {
    /** The object to create. */
    readonly obj: {
      /** The class of the service that the value is of. */
      readonly builtin_object_class?: string | null;
      /** The digest that the content must have. */
      readonly expected_digest?: string | null;
      /** The id of the object, the same in all of its versions. */
      readonly object_id: string;
      /** The project, as entity/project. */
      readonly project_id: string;
      /** The class that the object claims. */
      readonly set_base_object_class?: string | null;
      /** The value of the object. */
      readonly val: unknown;
      /** The id of the user who logged it; null when unknown. */
      readonly wb_user_id?: string | null;
    };
  };
  /**
   * The answer of `weaveObjDelete`.
   */
  readonly "weaveObjDelete.answer": Json;
  /** The body of `weaveObjDelete`. */
  readonly "weaveObjDelete.body": {
    /** The digests of contents. */
    readonly digests?: readonly string[] | null;
    /** The id of the object, the same in all of its versions. */
    readonly object_id: string;
    /** The project, as entity/project. */
    readonly project_id: string;
  };
  /**
   * The answer of `weaveObjRead`.
   */
  readonly "weaveObjRead.answer": Json;
  /** The body of `weaveObjRead`. */
  readonly "weaveObjRead.body": {
    /** The digest of the content. */
    readonly digest: string;
    /** Whether each version has its aliases: latest for the latest version, none for others; false by default. */
    readonly include_tags_and_aliases?: boolean | null;
    /** Whether to return only metadata, without values; false by default. */
    readonly metadata_only?: boolean | null;
    /** The id of the object, the same in all of its versions. */
    readonly object_id: string;
    /** The project, as entity/project. */
    readonly project_id: string;
  };
  /**
   * The answer of `weaveObjsQuery`.
   */
  readonly "weaveObjsQuery.answer": Json;
  /** The body of `weaveObjsQuery`. */
  readonly "weaveObjsQuery.body": {
    /** The evaluations; all by default. */
    readonly filter?: {
      /** Only versions with one of these aliases; all by default. */
      readonly aliases?: readonly string[] | null;
      /** Only objects of these classes. */
      readonly base_object_classes?: readonly string[] | null;
      /** No objects of these classes. */
      readonly exclude_base_object_classes?: readonly string[] | null;
      /** Whether to take only operations, or no operations. */
      readonly is_op?: boolean | null;
      /** Whether to take only the latest version of each; false by default. */
      readonly latest_only?: boolean | null;
      /** Only objects whose own class is one of these. */
      readonly leaf_object_classes?: readonly string[] | null;
      /** Only objects with these ids. */
      readonly object_ids?: readonly string[] | null;
      /** The tags. */
      readonly tags?: readonly string[] | null;
    } | null;
    /** false: sizes in storage are not counted */
    readonly include_storage_size?: false | null;
    /** Whether each version has its aliases: latest for the latest version, none for others; false by default. */
    readonly include_tags_and_aliases?: boolean | null;
    /** The maximum number of items to return. */
    readonly limit?: number | null;
    /** Whether to return only metadata, without values; false by default. */
    readonly metadata_only?: boolean | null;
    /** The number of items to skip; 0 by default. */
    readonly offset?: number | null;
    /** The project, as entity/project. */
    readonly project_id: string;
    /** The keys to sort by, most significant first. */
    readonly sort_by?:
      | readonly {
          /**
           * asc for the smallest first, desc for the largest; for a measure, whether higher or lower is better.
           */
          readonly direction: "asc" | "desc";
          /**
           * The path of a field, as in scores.quality or inputs.category.
           */
          readonly field: "created_at" | "object_id";
        }[]
      | null;
  };
  /**
   * The answer of `weaveRefsReadBatch`.
   */
  readonly "weaveRefsReadBatch.answer": Json;
  /** The body of `weaveRefsReadBatch`. */
  readonly "weaveRefsReadBatch.body": {
    /** References. */
    readonly refs: readonly string[];
  };
  /**
   * The answer of `weaveTableCreate`.
   */
  readonly "weaveTableCreate.answer": Json;
  /** The body of `weaveTableCreate`. */
  readonly "weaveTableCreate.body": {
    /** The table to create. */
    readonly table: {
      /** The digest that the content must have. */
      readonly expected_digest?: string | null;
      /** The project, as entity/project. */
      readonly project_id: string;
      /** Rows, or their number. */
      readonly rows: readonly {
        readonly [key: string]: any;
      }[];
    };
  };
  /**
   * The answer of `weaveTableCreateFromDigests`.
   */
  readonly "weaveTableCreateFromDigests.answer": Json;
  /** The body of `weaveTableCreateFromDigests`. */
  readonly "weaveTableCreateFromDigests.body": {
    /** The digest that the content must have. */
    readonly expected_digest?: string | null;
    /** The project, as entity/project. */
    readonly project_id: string;
    /** The digests of rows. */
    readonly row_digests: readonly string[];
  };
  /**
   * The answer of `weaveTableQuery`.
   */
  readonly "weaveTableQuery.answer": Json;
  /** The body of `weaveTableQuery`. */
  readonly "weaveTableQuery.body": {
    /** The digest of the content. */
    readonly digest: string;
    /** The evaluations; all by default. */
    readonly filter?: {
      /** The digests of rows. */
      readonly row_digests?: readonly string[] | null;
    } | null;
    /** The maximum number of items to return. */
    readonly limit?: number | null;
    /** The number of items to skip; 0 by default. */
    readonly offset?: number | null;
    /** The project, as entity/project. */
    readonly project_id: string;
    /** The keys to sort by, most significant first. */
    readonly sort_by?:
      | readonly {
          /**
           * asc for the smallest first, desc for the largest; for a measure, whether higher or lower is better.
           */
          readonly direction: "asc" | "desc";
          /** The path of a field, as in scores.quality or inputs.category. */
          readonly field: string;
        }[]
      | null;
  };
  /**
   * The answer of `weaveTableQueryStats`.
   */
  readonly "weaveTableQueryStats.answer": Json;
  /** The body of `weaveTableQueryStats`. */
  readonly "weaveTableQueryStats.body": {
    /** The digest of the content. */
    readonly digest: string;
    /** The project, as entity/project. */
    readonly project_id: string;
  };
  /**
   * The answer of `weaveTableQueryStatsBatch`.
   */
  readonly "weaveTableQueryStatsBatch.answer": Json;
  /** The body of `weaveTableQueryStatsBatch`. */
  readonly "weaveTableQueryStatsBatch.body": {
    /** The digests of contents. */
    readonly digests?: readonly string[] | null;
    /** false: sizes in storage are not counted */
    readonly include_storage_size?: false | null;
    /** The project, as entity/project. */
    readonly project_id: string;
  };
  /**
   * The answer of `weaveTableUpdate`.
   */
  readonly "weaveTableUpdate.answer": Json;
  /** The body of `weaveTableUpdate`. */
  readonly "weaveTableUpdate.body": {
    /** The digest of the table that is changed. */
    readonly base_digest: string;
    /** The project, as entity/project. */
    readonly project_id: string;
    /** Changes to the table, in order. */
    readonly updates: readonly (
      | {
          /** A row to append. */
          readonly append: {
            /** The row. */
            readonly row: {
              readonly [key: string]: any;
            };
          };
        }
      | {
          /** A row to insert, and its index. */
          readonly insert: {
            /** The place, counted from 0. */
            readonly index: number;
            /** The row. */
            readonly row: {
              readonly [key: string]: any;
            };
          };
        }
      | {
          /** The index of a row to remove. */
          readonly pop: {
            /** The place, counted from 0. */
            readonly index: number;
          };
        }
    )[];
  };
  /**
   * The answer of `weaveV2EntityProjectCallEnd`.
   */
  readonly "weaveV2EntityProjectCallEnd.answer": Json;
  /** The body of `weaveV2EntityProjectCallEnd`. */
  readonly "weaveV2EntityProjectCallEnd.body": {
    /** The end of the call. */
    readonly end: {
      /** A display name; null without one. */
      readonly display_name?: string | null;
      /**
       * Format: date-time
       * When it ended, as RFC 3339; null while it runs.
       */
      readonly ended_at: string;
      /** The error of the call; null without one. */
      readonly exception?: string | null;
      /** The id. */
      readonly id: string;
      /** Whether the call is part of an evaluation. Ignored: every call is stored. */
      readonly is_eval?: boolean | null;
      /** The output; null if it failed. */
      readonly output?: unknown;
      /** The project, as entity/project. */
      readonly project_id: string;
      /** When it started, as RFC 3339; null if unknown. */
      readonly started_at?: string | null;
      /** The summary; null when there is none. */
      readonly summary?: {
        readonly [key: string]: any;
      } | null;
      /** The id of the trace. */
      readonly trace_id?: string | null;
      /** The step of that run when the call ended. */
      readonly wb_run_step_end?: number | null;
    };
  };
  /**
   * The answer of `weaveV2EntityProjectCallsComplete`.
   */
  readonly "weaveV2EntityProjectCallsComplete.answer": Json;
  /** The body of `weaveV2EntityProjectCallsComplete`. */
  readonly "weaveV2EntityProjectCallsComplete.body": {
    /** Starts and ends of calls, in order. */
    readonly batch: readonly {
      /** Attributes, set by the author. */
      readonly attributes: {
        readonly [key: string]: any;
      };
      /** A display name; null without one. */
      readonly display_name?: string | null;
      /**
       * Format: date-time
       * When it ended, as RFC 3339; null while it runs.
       */
      readonly ended_at: string;
      /** The error of the call; null without one. */
      readonly exception?: string | null;
      /** The id. */
      readonly id: string;
      /** The inputs of the call or the model. */
      readonly inputs: {
        readonly [key: string]: any;
      };
      /** The reference, or the name, of the operation. */
      readonly op_name: string;
      /** null: spans are sent to /otel/v1/traces */
      readonly otel_dump?: null;
      /** The output; null if it failed. */
      readonly output?: unknown;
      /** The id of the calling call; null for a root. */
      readonly parent_id?: string | null;
      /** The project, as entity/project. */
      readonly project_id: string;
      /**
       * Format: date-time
       * When it started, as RFC 3339; null if unknown.
       */
      readonly started_at: string;
      /** The summary; null when there is none. */
      readonly summary?: {
        readonly [key: string]: any;
      } | null;
      /** The id of the thread; null without one. */
      readonly thread_id?: string | null;
      /** The id of the trace. */
      readonly trace_id: string;
      /** The id of the turn within the thread; null without one. */
      readonly turn_id?: string | null;
      /** The id of the run that it was logged in; null without one. */
      readonly wb_run_id?: string | null;
      /** The step of that run when the call started. */
      readonly wb_run_step?: number | null;
      /** The step of that run when the call ended. */
      readonly wb_run_step_end?: number | null;
      /** The id of the user who logged it; null when unknown. */
      readonly wb_user_id?: string | null;
    }[];
  };
  /**
   * The answer of `weaveV2EntityProjectCallStart`.
   */
  readonly "weaveV2EntityProjectCallStart.answer": Json;
  /** The body of `weaveV2EntityProjectCallStart`. */
  readonly "weaveV2EntityProjectCallStart.body": {
    /** The start of the call. */
    readonly start: {
      /** Attributes, set by the author. */
      readonly attributes: {
        readonly [key: string]: any;
      };
      /** A display name; null without one. */
      readonly display_name?: string | null;
      /** The id. */
      readonly id?: string | null;
      /** The inputs of the call or the model. */
      readonly inputs: {
        readonly [key: string]: any;
      };
      /** The reference, or the name, of the operation. */
      readonly op_name: string;
      /** null: spans are sent to /otel/v1/traces */
      readonly otel_dump?: null;
      /** The id of the calling call; null for a root. */
      readonly parent_id?: string | null;
      /** The project, as entity/project. */
      readonly project_id: string;
      /**
       * Format: date-time
       * When it started, as RFC 3339; null if unknown.
       */
      readonly started_at: string;
      /** The id of the thread; null without one. */
      readonly thread_id?: string | null;
      /** The id of the trace. */
      readonly trace_id?: string | null;
      /** The id of the turn within the thread; null without one. */
      readonly turn_id?: string | null;
      /** The id of the run that it was logged in; null without one. */
      readonly wb_run_id?: string | null;
      /** The step of that run when the call started. */
      readonly wb_run_step?: number | null;
      /** The id of the user who logged it; null when unknown. */
      readonly wb_user_id?: string | null;
    };
  };
}

/** The operations, by method and path. */
export interface Operations {
  /** Query rows of one or more evaluations, side by side, and a summary of each score. */
  "POST /v2/{entity}/{project}/eval_results/query": {
    path: { entity: string; project: string };
    header?: Schemas["evalResultsQuery.header"];
    body: Schemas["EvalResultsQueryBody"];
    answer: Schemas["EvalResultsQueryRes"];
  };
  /** Compare candidates with a baseline on the rows of a query: intervals, p-values and a verdict for each measure. */
  "POST /v2/{entity}/{project}/eval_results/compare": {
    path: { entity: string; project: string };
    header?: Schemas["evalResultsCompare.header"];
    body: Schemas["EvalResultsCompareBody"];
    answer: Schemas["EvalResultsCompareRes"];
  };
  /** Find where a candidate is better or worse than the baseline, by the fields of the rows. */
  "POST /v2/{entity}/{project}/eval_results/slices": {
    path: { entity: string; project: string };
    header?: Schemas["evalResultsSlices.header"];
    body: Schemas["EvalResultsSlicesBody"];
    answer: Schemas["EvalResultsSlicesRes"];
  };
  /** Rank evaluations, with the range of places that each may have. */
  "POST /v2/{entity}/{project}/eval_results/ranking": {
    path: { entity: string; project: string };
    header?: Schemas["evalResultsRanking.header"];
    body: Schemas["EvalResultsRankingBody"];
    answer: Schemas["EvalResultsRankingRes"];
  };
  /** Show a page of rows with previews of their outputs, ordered or filtered by how they changed. */
  "POST /v2/{entity}/{project}/eval_results/page": {
    path: { entity: string; project: string };
    header?: Schemas["evalResultsPage.header"];
    body: Schemas["EvalResultsPageBody"];
    answer: Schemas["EvalResultsPageRes"];
  };
  /** Group rows by the values of a field, a score or a difference; each group has its filter. */
  "POST /v2/{entity}/{project}/eval_results/groups": {
    path: { entity: string; project: string };
    header?: Schemas["evalResultsGroups.header"];
    body: Schemas["EvalResultsGroupsBody"];
    answer: Schemas["EvalResultsGroupsRes"];
  };
  /** List the fields that you can filter, sort and group by. */
  "POST /v2/{entity}/{project}/eval_results/fields": {
    path: { entity: string; project: string };
    header?: Schemas["evalResultsFields.header"];
    body: Schemas["EvalResultsFieldsBody"];
    answer: Schemas["EvalResultsFieldsRes"];
  };
  /** Export rows, filtered as on a page: a table of trials, or the page in one file. */
  "POST /v2/{entity}/{project}/eval_results/export": {
    path: { entity: string; project: string };
    query?: Schemas["evalResultsExport.query"];
    body: Schemas["EvalResultsPageBody"];
    answer: Streamed;
  };
  /** List the directions that are set for a project's scores: whether higher or lower is better. */
  "GET /v2/{entity}/{project}/eval_results/directions": {
    path: { entity: string; project: string };
    answer: Schemas["ScoreDirections"];
  };
  /** Set whether higher or lower values of scores are better, for every comparison that does not state it. */
  "POST /v2/{entity}/{project}/eval_results/directions": {
    path: { entity: string; project: string };
    body: Schemas["ScoreDirectionsBody"];
    answer: Schemas["ScoreDirections"];
  };
  /** List the evaluations of a project, by start: all of them, or page by page. */
  "GET /v2/{entity}/{project}/eval_results/evaluations": {
    path: { entity: string; project: string };
    query?: Schemas["listEvaluations.query"];
    answer: Schemas["EvaluationList"];
  };
  /** Permanently delete evaluations, all of them or none: their calls, and the dataset rows that nothing else refers to. */
  "DELETE /v2/{entity}/{project}/eval_results/evaluations": {
    path: { entity: string; project: string };
    query: Schemas["deleteEvaluations.query"];
    answer: Schemas["deleteEvaluations.answer"];
  };
  /** Permanently delete a project. */
  "DELETE /v2/{entity}/{project}": {
    path: { entity: string; project: string };
    answer: Schemas["deleteProject.answer"];
  };
  /** Permanently delete an evaluation: its calls, and the dataset rows that nothing else refers to. */
  "DELETE /v2/{entity}/{project}/eval_results/evaluations/{id}": {
    path: { entity: string; project: string; id: string };
    answer: Schemas["deleteEvaluation.answer"];
  };
  /** Calls, one per line. */
  "POST /v2/{entity}/{project}/calls/import": {
    path: { entity: string; project: string };
    body: Bytes;
    answer: Schemas["ImportReport"];
  };
  /** Dataset rows, one per line. */
  "POST /v2/{entity}/{project}/rows/import": {
    path: { entity: string; project: string };
    body: Bytes;
    answer: Schemas["ImportReport"];
  };
  /** Calls as logged, one per line. */
  "GET /v2/{entity}/{project}/calls/export": {
    path: { entity: string; project: string };
    query?: Schemas["exportCalls.query"];
    answer: Streamed;
  };
  /** Dataset rows, one per line. */
  "GET /v2/{entity}/{project}/rows/export": {
    path: { entity: string; project: string };
    query?: Schemas["exportRows.query"];
    answer: Streamed;
  };
  /** List the projects that the key may see, by name. */
  "GET /v2/projects": {
    query?: Schemas["listProjects.query"];
    answer: Schemas["ProjectList"];
  };
  /** Follow the progress of running evaluations, as server-sent events. */
  "GET /v2/{entity}/{project}/eval_results/watch": {
    path: { entity: string; project: string };
    query: Schemas["watchEvaluations.query"];
    answer: Streamed;
  };
  /** Answer like Weave's trace server. */
  "POST /call/start": {
    body: Schemas["weaveCallStart.body"];
    answer: Schemas["weaveCallStart.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /call/end": {
    body: Schemas["weaveCallEnd.body"];
    answer: Schemas["weaveCallEnd.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /call/upsert_batch": {
    body: Schemas["weaveCallUpsertBatch.body"];
    answer: Schemas["weaveCallUpsertBatch.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /call/update": {
    body: Schemas["weaveCallUpdate.body"];
    answer: Schemas["weaveCallUpdate.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /call/read": {
    body: Schemas["weaveCallRead.body"];
    answer: Schemas["weaveCallRead.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /calls/delete": {
    body: Schemas["weaveCallsDelete.body"];
    answer: Schemas["weaveCallsDelete.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /calls/stream_query": {
    body: Schemas["weaveCallsStreamQuery.body"];
    answer: Streamed;
  };
  /** Answer like Weave's trace server. */
  "POST /calls/query_stats": {
    body: Schemas["weaveCallsQueryStats.body"];
    answer: Schemas["weaveCallsQueryStats.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /v2/{entity}/{project}/call/start": {
    path: { entity: string; project: string };
    body: Schemas["weaveV2EntityProjectCallStart.body"];
    answer: Schemas["weaveV2EntityProjectCallStart.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /v2/{entity}/{project}/call/end": {
    path: { entity: string; project: string };
    body: Schemas["weaveV2EntityProjectCallEnd.body"];
    answer: Schemas["weaveV2EntityProjectCallEnd.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /v2/{entity}/{project}/calls/complete": {
    path: { entity: string; project: string };
    body: Schemas["weaveV2EntityProjectCallsComplete.body"];
    answer: Schemas["weaveV2EntityProjectCallsComplete.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /obj/create": {
    body: Schemas["weaveObjCreate.body"];
    answer: Schemas["weaveObjCreate.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /obj/read": {
    body: Schemas["weaveObjRead.body"];
    answer: Schemas["weaveObjRead.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /obj/delete": {
    body: Schemas["weaveObjDelete.body"];
    answer: Schemas["weaveObjDelete.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /objs/query": {
    body: Schemas["weaveObjsQuery.body"];
    answer: Schemas["weaveObjsQuery.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /table/create": {
    body: Schemas["weaveTableCreate.body"];
    answer: Schemas["weaveTableCreate.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /table/create_from_digests": {
    body: Schemas["weaveTableCreateFromDigests.body"];
    answer: Schemas["weaveTableCreateFromDigests.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /table/update": {
    body: Schemas["weaveTableUpdate.body"];
    answer: Schemas["weaveTableUpdate.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /table/query": {
    body: Schemas["weaveTableQuery.body"];
    answer: Schemas["weaveTableQuery.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /table/query_stats": {
    body: Schemas["weaveTableQueryStats.body"];
    answer: Schemas["weaveTableQueryStats.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /table/query_stats_batch": {
    body: Schemas["weaveTableQueryStatsBatch.body"];
    answer: Schemas["weaveTableQueryStatsBatch.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /refs/read_batch": {
    body: Schemas["weaveRefsReadBatch.body"];
    answer: Schemas["weaveRefsReadBatch.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /feedback/create": {
    body: Schemas["weaveFeedbackCreate.body"];
    answer: Schemas["weaveFeedbackCreate.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /feedback/batch/create": {
    body: Schemas["weaveFeedbackBatchCreate.body"];
    answer: Schemas["weaveFeedbackBatchCreate.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /feedback/replace": {
    body: Schemas["weaveFeedbackReplace.body"];
    answer: Schemas["weaveFeedbackReplace.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /feedback/query": {
    body: Schemas["weaveFeedbackQuery.body"];
    answer: Schemas["weaveFeedbackQuery.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /feedback/purge": {
    body: Schemas["weaveFeedbackPurge.body"];
    answer: Schemas["weaveFeedbackPurge.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /cost/create": {
    body: Schemas["weaveCostCreate.body"];
    answer: Schemas["weaveCostCreate.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /cost/query": {
    body: Schemas["weaveCostQuery.body"];
    answer: Schemas["weaveCostQuery.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /cost/purge": {
    body: Schemas["weaveCostPurge.body"];
    answer: Schemas["weaveCostPurge.answer"];
  };
  /** Answer like Weave's trace server. */
  "POST /file/content": {
    body: Schemas["weaveFileContent.body"];
    answer: undefined;
  };
  /** Answer like Weave's trace server. */
  "POST /file/create": {
    body: FormData;
    answer: Schemas["weaveFileCreate.answer"];
  };
  /** List the published evaluation objects: every version, by object id. */
  "GET /v2/{entity}/{project}/evaluations": {
    path: { entity: string; project: string };
    query?: Schemas["listEvaluationObjects.query"];
    answer: Streamed;
  };
  /** Create an evaluation object. */
  "POST /v2/{entity}/{project}/evaluations": {
    path: { entity: string; project: string };
    header?: Schemas["createEvaluationObject.header"];
    body: Schemas["createEvaluationObject.body"];
    answer: Schemas["CreatedEvaluationObject"];
  };
  /** Create a dataset. */
  "POST /v2/{entity}/{project}/datasets": {
    path: { entity: string; project: string };
    header?: Schemas["createDataset.header"];
    body: Schemas["createDataset.body"];
    answer: Schemas["CreatedDataset"];
  };
  /** List datasets, one per line. */
  "GET /v2/{entity}/{project}/datasets": {
    path: { entity: string; project: string };
    query?: Schemas["listDatasets.query"];
    answer: Streamed;
  };
  /** Read a dataset. */
  "GET /v2/{entity}/{project}/datasets/{object_id}/versions/{digest}": {
    path: { entity: string; project: string; object_id: string; digest: string };
    answer: Schemas["Dataset"];
  };
  /** Delete a dataset. */
  "DELETE /v2/{entity}/{project}/datasets/{object_id}": {
    path: { entity: string; project: string; object_id: string };
    query?: Schemas["deleteDataset.query"];
    answer: Schemas["Deleted"];
  };
  /** Create a scorer. */
  "POST /v2/{entity}/{project}/scorers": {
    path: { entity: string; project: string };
    header?: Schemas["createScorer.header"];
    body: Schemas["createScorer.body"];
    answer: Schemas["CreatedScorer"];
  };
  /** List scorers, one per line. */
  "GET /v2/{entity}/{project}/scorers": {
    path: { entity: string; project: string };
    query?: Schemas["listScorers.query"];
    answer: Streamed;
  };
  /** Read a scorer. */
  "GET /v2/{entity}/{project}/scorers/{object_id}/versions/{digest}": {
    path: { entity: string; project: string; object_id: string; digest: string };
    answer: Schemas["Scorer"];
  };
  /** Delete a scorer. */
  "DELETE /v2/{entity}/{project}/scorers/{object_id}": {
    path: { entity: string; project: string; object_id: string };
    query?: Schemas["deleteScorer.query"];
    answer: Schemas["Deleted"];
  };
  /** Create a model object. */
  "POST /v2/{entity}/{project}/models": {
    path: { entity: string; project: string };
    header?: Schemas["createModelObject.header"];
    body: Schemas["createModelObject.body"];
    answer: Schemas["CreatedModelObject"];
  };
  /** List model objects, one per line. */
  "GET /v2/{entity}/{project}/models": {
    path: { entity: string; project: string };
    query?: Schemas["listModelObjects.query"];
    answer: Streamed;
  };
  /** Read a model object. */
  "GET /v2/{entity}/{project}/models/{object_id}/versions/{digest}": {
    path: { entity: string; project: string; object_id: string; digest: string };
    answer: Schemas["ModelObject"];
  };
  /** Delete a model object. */
  "DELETE /v2/{entity}/{project}/models/{object_id}": {
    path: { entity: string; project: string; object_id: string };
    query?: Schemas["deleteModelObject.query"];
    answer: Schemas["Deleted"];
  };
  /** Read an evaluation object. */
  "GET /v2/{entity}/{project}/evaluations/{object_id}/versions/{digest}": {
    path: { entity: string; project: string; object_id: string; digest: string };
    answer: Schemas["EvaluationObject"];
  };
  /** Delete an evaluation object. */
  "DELETE /v2/{entity}/{project}/evaluations/{object_id}": {
    path: { entity: string; project: string; object_id: string };
    query?: Schemas["deleteEvaluationObject.query"];
    answer: Schemas["Deleted"];
  };
  /** Start an evaluation run. From its first prediction on, queries find the evaluation by the run's id. */
  "POST /v2/{entity}/{project}/evaluation_runs": {
    path: { entity: string; project: string };
    header?: Schemas["createEvaluationRun.header"];
    body: Schemas["createEvaluationRun.body"];
    answer: Schemas["CreatedEvaluationRun"];
  };
  /** List evaluation runs, one per line. */
  "GET /v2/{entity}/{project}/evaluation_runs": {
    path: { entity: string; project: string };
    query?: Schemas["listEvaluationRuns.query"];
    answer: Streamed;
  };
  /** Delete evaluation runs with all that was logged below them. */
  "DELETE /v2/{entity}/{project}/evaluation_runs": {
    path: { entity: string; project: string };
    query?: Schemas["deleteEvaluationRun.query"];
    answer: Schemas["Deleted"];
  };
  /** Read an evaluation run. */
  "GET /v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}": {
    path: { entity: string; project: string; evaluation_run_id: string };
    answer: Schemas["EvaluationRun"];
  };
  /** End an evaluation run: its output is the mean of each score. */
  "POST /v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}/finish": {
    path: { entity: string; project: string; evaluation_run_id: string };
    header?: Schemas["finishEvaluationRun.header"];
    body?: Schemas["finishEvaluationRun.body"];
    answer: Schemas["Finished"];
  };
  /** Log a prediction. In a run, it immediately becomes a trial of the evaluation. */
  "POST /v2/{entity}/{project}/predictions": {
    path: { entity: string; project: string };
    header?: Schemas["createPrediction.header"];
    body: Schemas["createPrediction.body"];
    answer: Schemas["CreatedPrediction"];
  };
  /** List predictions, one per line. */
  "GET /v2/{entity}/{project}/predictions": {
    path: { entity: string; project: string };
    query?: Schemas["listPredictions.query"];
    answer: Streamed;
  };
  /** Delete predictions; in a run, also their trials and scores. */
  "DELETE /v2/{entity}/{project}/predictions": {
    path: { entity: string; project: string };
    query?: Schemas["deletePrediction.query"];
    answer: Schemas["Deleted"];
  };
  /** Read a prediction. */
  "GET /v2/{entity}/{project}/predictions/{prediction_id}": {
    path: { entity: string; project: string; prediction_id: string };
    answer: Schemas["Prediction"];
  };
  /** Mark a prediction as complete: no more scores follow. */
  "POST /v2/{entity}/{project}/predictions/{prediction_id}/finish": {
    path: { entity: string; project: string; prediction_id: string };
    header?: Schemas["finishPrediction.header"];
    body?: Schemas["finishPrediction.body"];
    answer: Schemas["Finished"];
  };
  /** Log a score of a prediction. It immediately becomes a score of the trial. */
  "POST /v2/{entity}/{project}/scores": {
    path: { entity: string; project: string };
    header?: Schemas["createScore.header"];
    body: Schemas["createScore.body"];
    answer: Schemas["CreatedScore"];
  };
  /** List scores, one per line. */
  "GET /v2/{entity}/{project}/scores": {
    path: { entity: string; project: string };
    query?: Schemas["listScores.query"];
    answer: Streamed;
  };
  /** Delete a score. */
  "DELETE /v2/{entity}/{project}/scores": {
    path: { entity: string; project: string };
    query?: Schemas["deleteScore.query"];
    answer: Schemas["Deleted"];
  };
  /** Read a score. */
  "GET /v2/{entity}/{project}/scores/{score_id}": {
    path: { entity: string; project: string; score_id: string };
    answer: Schemas["Score"];
  };
  /** Receive OTLP spans: they become calls, and those with GenAI evaluation results also trials. */
  "POST /otel/v1/traces": {
    header?: Schemas["exportTraces.header"];
    body: Schemas["exportTraces.body"];
    answer: Schemas["exportTraces.answer"];
  };
  /** Receive OTLP logs: GenAI evaluation results score the spans that they name; other records are ignored. */
  "POST /otel/v1/logs": {
    header?: Schemas["exportLogs.header"];
    body: Schemas["exportLogs.body"];
    answer: Schemas["exportLogs.answer"];
  };
  /** Check that everything that training depends on works. */
  "GET /v1/system-check": {
    answer: Schemas["SystemCheck"];
  };
  /** Create a model, or find it. */
  "POST /v1/preview/models": {
    header?: Schemas["create_model.header"];
    body: Schemas["ModelRequest"];
    answer: Schemas["TrainingModel"];
  };
  /** List models, oldest first (an extension). */
  "GET /v1/preview/models": {
    query?: Schemas["list_models.query"];
    answer: Schemas["TrainingModelList"];
  };
  /** Show a model (an extension). */
  "GET /v1/preview/models/{model_id}": {
    path: { model_id: string };
    answer: Schemas["TrainingModelDetails"];
  };
  /** Delete a model and what belongs to it. */
  "DELETE /v1/preview/models/{model_id}": {
    path: { model_id: string };
    answer: Schemas["DeletedModel"];
  };
  /** List checkpoints by step. */
  "GET /v1/preview/models/{model_id}/checkpoints": {
    path: { model_id: string };
    query?: Schemas["list_checkpoints.query"];
    answer: Schemas["CheckpointList"];
  };
  /** Delete checkpoints. */
  "DELETE /v1/preview/models/{model_id}/checkpoints": {
    path: { model_id: string };
    body: Schemas["StepsRequest"];
    answer: Schemas["DeletedCheckpoints"];
  };
  /** Show a checkpoint and its files (an extension). */
  "GET /v1/preview/models/{model_id}/checkpoints/{step}": {
    path: { model_id: string; step: number };
    answer: Schemas["CheckpointDetails"];
  };
  /** Download a file of a checkpoint (an extension). */
  "GET /v1/preview/models/{model_id}/checkpoints/{step}/files/{name}": {
    path: { model_id: string; step: number; name: string };
    answer: Streamed;
  };
  /** List the aliases of checkpoints (an extension). */
  "GET /v1/preview/models/{model_id}/aliases": {
    path: { model_id: string };
    answer: Schemas["AliasList"];
  };
  /** Give an alias to a checkpoint, or to the best one by a metric (an extension). */
  "PUT /v1/preview/models/{model_id}/aliases/{alias}": {
    path: { model_id: string; alias: string };
    body: Schemas["AliasTarget"];
    answer: Schemas["Alias"];
  };
  /** Remove an alias (an extension). */
  "DELETE /v1/preview/models/{model_id}/aliases/{alias}": {
    path: { model_id: string; alias: string };
    answer: Schemas["DeletedAlias"];
  };
  /** List the evaluations that were run against a model, by start (an extension). */
  "GET /v1/preview/models/{model_id}/evaluations": {
    path: { model_id: string };
    query?: Schemas["list_model_evaluations.query"];
    answer: Schemas["ModelEvaluationList"];
  };
  /** Log trajectories: their statistics become metrics. */
  "POST /v1/preview/models/{model_id}/log": {
    path: { model_id: string };
    body: Schemas["LogRequest"];
    answer: Schemas["Logged"];
  };
  /** Submit a reinforcement job. */
  "POST /v1/preview/training-jobs": {
    header?: Schemas["create_rl_training_job.header"];
    body: Schemas["RlRequest"];
    answer: Schemas["TrainingJob"];
  };
  /** List jobs, newest first (an extension). */
  "GET /v1/preview/training-jobs": {
    query?: Schemas["list_training_jobs.query"];
    answer: Schemas["TrainingJobList"];
  };
  /** Submit a fine-tuning job. */
  "POST /v1/preview/sft-training-jobs": {
    header?: Schemas["create_sft_training_job.header"];
    body: Schemas["SftRequest"];
    answer: Schemas["TrainingJob"];
  };
  /** Upload conversations, one JSON object per line (an extension). */
  "POST /v1/preview/training-data": {
    body: Bytes;
    answer: Schemas["TrainingData"];
  };
  /** Show a job. */
  "GET /v1/preview/training-jobs/{training_job_id}": {
    path: { training_job_id: string };
    answer: Schemas["TrainingJob"];
  };
  /** Cancel a job (an extension). */
  "POST /v1/preview/training-jobs/{training_job_id}/cancel": {
    path: { training_job_id: string };
    answer: Schemas["TrainingJob"];
  };
  /** List a job's events, oldest first; as text/event-stream, future ones too. */
  "GET /v1/preview/training-jobs/{training_job_id}/events": {
    path: { training_job_id: string };
    query?: Schemas["list_training_job_events.query"];
    answer: Schemas["TrainingJobEventList"];
  };
  /** Upload a file. */
  "POST /v1/files": {
    header?: Schemas["create_file.header"];
    body: FormData;
    answer: Schemas["File"];
  };
  /** List files, newest first. */
  "GET /v1/files": {
    query?: Schemas["list_files.query"];
    header?: Schemas["list_files.header"];
    answer: Schemas["FileList"];
  };
  /** Show a file. */
  "GET /v1/files/{file_id}": {
    path: { file_id: string };
    header?: Schemas["retrieve_file.header"];
    answer: Schemas["File"];
  };
  /** Delete a file. */
  "DELETE /v1/files/{file_id}": {
    path: { file_id: string };
    header?: Schemas["delete_file.header"];
    answer: Schemas["DeletedFile"];
  };
  /** Download the bytes of a file. */
  "GET /v1/files/{file_id}/content": {
    path: { file_id: string };
    header?: Schemas["download_file.header"];
    answer: Streamed;
  };
  /** Fine-tune a model on a file. */
  "POST /v1/fine_tuning/jobs": {
    header?: Schemas["create_fine_tuning_job.header"];
    body: Schemas["FineTuningRequest"];
    answer: Schemas["FineTuningJob"];
  };
  /** List the jobs that this interface created, newest first. */
  "GET /v1/fine_tuning/jobs": {
    query?: Schemas["list_fine_tuning_jobs.query"];
    header?: Schemas["list_fine_tuning_jobs.header"];
    answer: Schemas["FineTuningJobList"];
  };
  /** Show a job. */
  "GET /v1/fine_tuning/jobs/{job_id}": {
    path: { job_id: string };
    header?: Schemas["retrieve_fine_tuning_job.header"];
    answer: Schemas["FineTuningJob"];
  };
  /** Cancel a job. */
  "POST /v1/fine_tuning/jobs/{job_id}/cancel": {
    path: { job_id: string };
    header?: Schemas["cancel_fine_tuning_job.header"];
    answer: Schemas["FineTuningJob"];
  };
  /** Always refused: jobs cannot be paused. */
  "POST /v1/fine_tuning/jobs/{job_id}/pause": {
    path: { job_id: string };
    header?: Schemas["pause_fine_tuning_job.header"];
    answer: Schemas["FineTuningJob"];
  };
  /** Always refused: jobs cannot be paused. */
  "POST /v1/fine_tuning/jobs/{job_id}/resume": {
    path: { job_id: string };
    header?: Schemas["resume_fine_tuning_job.header"];
    answer: Schemas["FineTuningJob"];
  };
  /** List the events of a job, newest first. */
  "GET /v1/fine_tuning/jobs/{job_id}/events": {
    path: { job_id: string };
    query?: Schemas["list_fine_tuning_events.query"];
    header?: Schemas["list_fine_tuning_events.header"];
    answer: Schemas["FineTuningEventList"];
  };
  /** List the checkpoints of a job: one, once it has succeeded. */
  "GET /v1/fine_tuning/jobs/{job_id}/checkpoints": {
    path: { job_id: string };
    query?: Schemas["list_fine_tuning_checkpoints.query"];
    header?: Schemas["list_fine_tuning_checkpoints.header"];
    answer: Schemas["FineTuningCheckpointList"];
  };
  /** List the runs of a project, newest first. */
  "GET /v2/{entity}/{project}/runs": {
    path: { entity: string; project: string };
    query?: Schemas["listRuns.query"];
    answer: Schemas["RunList"];
  };
  /** A run with its configuration and summary. */
  "GET /v2/{entity}/{project}/runs/{run}": {
    path: { entity: string; project: string; run: string };
    answer: Schemas["RunDetails"];
  };
  /** Delete a run with its lines and files permanently. */
  "DELETE /v2/{entity}/{project}/runs/{run}": {
    path: { entity: string; project: string; run: string };
    answer: Schemas["RemovedByName"];
  };
  /** Delete a version of an artifact, called NAME:VERSION or NAME:ALIAS, with its aliases, permanently. */
  "DELETE /v2/{entity}/{project}/artifacts/{name}": {
    path: { entity: string; project: string; name: string };
    answer: Schemas["RemovedByName"];
  };
  /** Show what a run has logged, by step. */
  "GET /v2/{entity}/{project}/runs/{run}/history": {
    path: { entity: string; project: string; run: string };
    query?: Schemas["getRunHistory.query"];
    answer: Schemas["RunHistory"];
  };
  /** Create a chat completion. */
  "POST /v1/chat/completions": {
    body: Schemas["ChatCompletionRequest"];
    answer: Schemas["ChatCompletion"];
  };
  /** Create a response. */
  "POST /v1/responses": {
    body: Schemas["ResponseRequest"];
    answer: Schemas["ModelResponse"];
  };
  /** Show one of the latest responses. */
  "GET /v1/responses/{response_id}": {
    path: { response_id: string };
    answer: Schemas["ModelResponse"];
  };
  /** Delete one of the latest responses. */
  "DELETE /v1/responses/{response_id}": {
    path: { response_id: string };
    answer: Schemas["DeletedResponse"];
  };
  /** Continue a text, or several. */
  "POST /v1/completions": {
    body: Schemas["TextCompletionRequest"];
    answer: Schemas["TextCompletion"];
  };
  /** Create embeddings of texts. */
  "POST /v1/embeddings": {
    body: Schemas["EmbeddingRequest"];
    answer: Schemas["EmbeddingList"];
  };
  /** Show a model. */
  "GET /v1/models/{model}": {
    path: { model: string };
    answer: Schemas["InferenceModel"];
  };
  /** Delete a trained model with its checkpoints. */
  "DELETE /v1/models/{model}": {
    path: { model: string };
    answer: Schemas["DeletedInferenceModel"];
  };
  /** List the models. */
  "GET /v1/models": {
    answer: Schemas["ModelList"];
  };
  /** Report usage (an extension). */
  "GET /v1/usage": {
    query?: Schemas["get_usage.query"];
    answer: Schemas["UsageReport"];
  };
  /** Create an API key (an extension). */
  "POST /v1/keys": {
    body: Schemas["KeyRequest"];
    answer: Schemas["NewKey"];
  };
  /** List the API keys, without their texts (an extension). */
  "GET /v1/keys": {
    query?: Schemas["list_keys.query"];
    answer: Schemas["KeyList"];
  };
  /** Revoke an API key (an extension). */
  "DELETE /v1/keys/{id}": {
    path: { id: string };
    answer: Schemas["Key"];
  };
  /** Show the caller's key, and the areas that the server has. */
  "GET /v1/session": {
    answer: Schemas["Session"];
  };
  /** Back up the data directory as of one moment, while the server runs. */
  "GET /v1/backup": {
    answer: Streamed;
  };
  /** Show the server's metrics, in the text format of Prometheus. */
  "GET /metrics": {
    answer: Streamed;
  };
  /** Check that the server is alive; it answers even while its store does not. */
  "GET /v1/health": {
    answer: Schemas["health.answer"];
  };
  /** Check that requests can be answered from the store. */
  "GET /v1/health/ready": {
    answer: Schemas["ready.answer"];
  };
}

/** The media types of request bodies that are not JSON, by operation. */
export const BODY_TYPES: { readonly [operation: string]: string } = {
  "POST /v2/{entity}/{project}/calls/import": "application/x-ndjson",
  "POST /v2/{entity}/{project}/rows/import": "application/x-ndjson",
  "POST /file/create": "multipart/form-data",
  "POST /v1/preview/training-data": "application/x-ndjson",
  "POST /v1/files": "multipart/form-data",
};
