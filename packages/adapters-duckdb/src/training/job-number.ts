/** The job's number in this store. Events of one job lie near each other, so DuckDB passes over most by their numbers. */
export const JOB_NUMBER = "(SELECT number FROM training_jobs WHERE id = ?)";
