/** What the tokens of a model cost in a project, from a day on. Costs are US dollars for one token. */
export interface TokenCost {
  /** Unique in its project. */
  readonly id: string;
  /** `entity/project`. */
  readonly project_id: string;
  /** The model, as calls name it in their usage. */
  readonly llm_id: string;
  /** Who serves it. */
  readonly provider_id: string;
  /** From when on, ISO 8601. */
  readonly effective_date: string;
  /** Of a request. */
  readonly prompt_token_cost: number;
  /** Of an answer. */
  readonly completion_token_cost: number;
  /** Of a request, where the engine had it from an earlier one; 0 as others of the request. */
  readonly cache_read_input_token_cost: number;
  /** Of a request, where the engine keeps it for later ones; 0 as others of the request. */
  readonly cache_creation_input_token_cost: number;
  /** The currency. */
  readonly prompt_token_cost_unit: string;
  /** The currency. */
  readonly completion_token_cost_unit: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** The principal who said it. */
  readonly created_by: string;
}

/** Where what tokens cost is kept. When the storage itself fails, it throws a `Fault`. */
export interface CostStore {
  /** Adds each; ids are new. All or none; durable when the promise resolves. */
  put(costs: readonly TokenCost[]): Promise<void>;

  /** All costs of a project, by creation, then id. */
  all(project: string): Promise<readonly TokenCost[]>;

  /** Removes costs by id. Ids that are not there are ignored. Durable when the promise resolves. */
  remove(project: string, ids: readonly string[]): Promise<void>;
}
