/** The token costs of a model in a project, from a time on, in US dollars per token. */
export interface TokenCost {
  /** Unique in its project. */
  readonly id: string;
  /** `entity/project`. */
  readonly project_id: string;
  /** The model, as calls name it in their usage. */
  readonly llm_id: string;
  /** The provider. */
  readonly provider_id: string;
  /** When it takes effect, ISO 8601. */
  readonly effective_date: string;
  /** The cost of a prompt token. */
  readonly prompt_token_cost: number;
  /** The cost of a completion token. */
  readonly completion_token_cost: number;
  /** The cost of a prompt token read from the cache; 0 for the same as other prompt tokens. */
  readonly cache_read_input_token_cost: number;
  /** The cost of a prompt token written to the cache; 0 for the same as other prompt tokens. */
  readonly cache_creation_input_token_cost: number;
  /** The currency of prompt costs. */
  readonly prompt_token_cost_unit: string;
  /** The currency of completion costs. */
  readonly completion_token_cost_unit: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** The principal who added it. */
  readonly created_by: string;
}

/** Where token costs are kept. Throws a `Fault` when the storage itself fails. */
export interface CostStore {
  /** Adds all of them or none; their IDs are new. Durable when the promise resolves. */
  put(costs: readonly TokenCost[]): Promise<void>;

  /** All costs of a project, by creation, then id. */
  all(project: string): Promise<readonly TokenCost[]>;

  /** Removes costs by ID. Unknown IDs are ignored. Durable when the promise resolves. */
  remove(project: string, ids: readonly string[]): Promise<void>;
}
