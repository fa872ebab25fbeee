/**
 * The job's number in this store. Events of one job are stored close together, so DuckDB skips most others by number.
 */
export const JOB_NUMBER = "(SELECT number FROM training_jobs WHERE id = ?)";
