// Every statement that changes a data directory, by its number in the redo log. A log may come with a backup from
// elsewhere; it holds only numbers and values, so only statements from this file are ever run. The list is part of the
// file format: add at the end, and never edit, move or remove a statement, or existing logs are read wrongly.

/** The statements; the index is the number. Each is on one line, with `?` for each value. */
export const STATEMENTS = [
  "INSERT INTO projects VALUES (?, ?, ?, ?)",
  "UPDATE projects SET version = ?, rows_version = ? WHERE number = ?",
  "UPDATE projects SET version = version + 1, rows_version = rows_version + 1",
  "UPDATE calls SET version = ?, deleted_at = ? WHERE place IN (SELECT unnest(?::DOUBLE[]))",
  "DELETE FROM calls WHERE place >= ?::DOUBLE AND place <= ?::DOUBLE AND place IN (SELECT unnest(?::DOUBLE[]))",
  "DELETE FROM dataset_rows WHERE place IN (SELECT unnest(?::DOUBLE[]))",
  "DELETE FROM objects WHERE place IN (SELECT unnest(?::DOUBLE[]))",
  "DELETE FROM row_tables WHERE place IN (SELECT unnest(?::DOUBLE[]))",
  "DELETE FROM feedback WHERE place IN (SELECT unnest(?::DOUBLE[]))",
  "DELETE FROM files WHERE place IN (SELECT unnest(?::DOUBLE[]))",
  "DELETE FROM calls WHERE place + size > ?",
  "DELETE FROM dataset_rows WHERE place + size > ?",
  "DELETE FROM objects WHERE place + size > ?",
  "DELETE FROM row_tables WHERE place + size > ?",
  "DELETE FROM feedback WHERE place + size > ?",
  "DELETE FROM files WHERE place + size > ?",
  "UPDATE objects SET deleted_at = NULL WHERE place = ?",
  "UPDATE objects SET deleted_at = ? WHERE place IN (SELECT unnest(?::DOUBLE[]))",
  // Until version 9 of the tables; later keys have verbs.
  "INSERT INTO api_keys VALUES (?, ?, ?, ?, ?, ?, ?)",
  "INSERT INTO api_keys VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
  "CREATE OR REPLACE TEMP TABLE usage_batch AS FROM usage LIMIT 0",
  "INSERT INTO usage FROM usage_batch ANTI JOIN usage USING (id)",
  "DROP TABLE usage_batch",
  "INSERT INTO training_models VALUES (?, ?, ?, ?, ?, ?, ?)",
  "UPDATE training_models SET version = ?, deleted = ?, busy = ?, body = ? WHERE id = ?",
  "INSERT INTO training_jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
  "UPDATE training_jobs SET version = ?, state = ?, ended = ?, body = ? WHERE number = ?",
  "INSERT INTO training_specs SELECT number, ?, ? FROM training_jobs WHERE id = ?",
  "DELETE FROM training_specs WHERE job = (SELECT number FROM training_jobs WHERE id = ?)",
  "DELETE FROM training_checkpoints WHERE model = ? AND id = ?",
  "INSERT INTO training_checkpoints VALUES (?, ?, ?, ?, ?)",
  "DELETE FROM training_replies WHERE expires <= ?",
  "INSERT INTO training_replies VALUES (?, ?, ?)",
  "DELETE FROM training_files WHERE id = ?",
  "INSERT INTO training_files VALUES (?, ?, ?, ?, ?, ?)",
  "INSERT INTO tracking_runs VALUES (?, ?, ?, ?, ?, ?)",
  "UPDATE tracking_runs SET version = ?, body = ? WHERE id = ?",
  "DELETE FROM tracking_runs WHERE id = ?",
  "DELETE FROM tracking_lines WHERE run = ?",
  "DELETE FROM tracking_files WHERE run = ?",
  "DELETE FROM tracking_uses WHERE run = ?",
  "DELETE FROM tracking_lines WHERE run = ? AND stream = ? AND line >= ? AND line < ?",
  "DELETE FROM tracking_files WHERE run = ? AND name = ?",
  "INSERT INTO tracking_files VALUES (?, ?, ?, ?)",
  "DELETE FROM tracking_uses WHERE run = ? AND artifact = ?",
  "INSERT INTO tracking_uses VALUES (?, ?)",
  "INSERT INTO tracking_collections VALUES (?, ?, ?, ?, ?, ?)",
  "UPDATE tracking_collections SET version = ?, body = ? WHERE id = ?",
  "DELETE FROM tracking_aliases WHERE collection = ? AND alias = ?",
  "INSERT INTO tracking_aliases VALUES (?, ?, ?)",
  "DELETE FROM tracking_artifacts WHERE id = ?",
  "INSERT INTO tracking_artifacts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
  "DELETE FROM tracking_artifacts WHERE NOT committed AND created < ?",
  "DELETE FROM tracking_artifacts WHERE id IN (SELECT unnest(?::VARCHAR[]))",
  "DELETE FROM tracking_entries WHERE artifact IN (SELECT unnest(?::VARCHAR[]))",
  "DELETE FROM tracking_aliases WHERE artifact IN (SELECT unnest(?::VARCHAR[]))",
  "DELETE FROM tracking_uses WHERE artifact IN (SELECT unnest(?::VARCHAR[]))",
  "DELETE FROM tracking_entries WHERE artifact = ?",
  "DELETE FROM tracking_blobs WHERE project = ? AND md5 IN (SELECT unnest(?::VARCHAR[]))",
  "DELETE FROM tracking_blobs WHERE project = ? AND md5 IN (SELECT digest FROM tracking_entries WHERE artifact IN (SELECT unnest(?::VARCHAR[]))) AND md5 NOT IN (SELECT digest FROM tracking_entries WHERE project = ? AND artifact NOT IN (SELECT unnest(?::VARCHAR[])))",
  "DELETE FROM tracking_blobs WHERE created < ? AND NOT EXISTS ( SELECT 1 FROM tracking_entries e WHERE e.project = tracking_blobs.project AND e.digest = tracking_blobs.md5 )",
  "INSERT INTO tracking_secret VALUES (?)",
  "DELETE FROM evaluation_lists WHERE project = ?",
  "INSERT INTO evaluation_lists VALUES (?, ?)",
  "DELETE FROM evaluations WHERE project = ? AND id_hash IN (SELECT unnest(?::DOUBLE[]))",
  "DELETE FROM evaluation_lists",
  "DELETE FROM evaluations",
  "DELETE FROM costs WHERE project = ? AND id IN (SELECT unnest(?::VARCHAR[]))",
  "DELETE FROM score_directions WHERE project = ? AND field = ?",
  "INSERT INTO score_directions VALUES (?, ?, ?)",
  "DELETE FROM calls WHERE place + size > ? AND place < ?",
  "DELETE FROM dataset_rows WHERE place + size > ? AND place < ?",
  "DELETE FROM objects WHERE place + size > ? AND place < ?",
  "DELETE FROM row_tables WHERE place + size > ? AND place < ?",
  "DELETE FROM feedback WHERE place + size > ? AND place < ?",
  "DELETE FROM files WHERE place + size > ? AND place < ?",
] as const;

/** The text of a statement: the compiler rejects any other text in a transaction. */
export type Statement = (typeof STATEMENTS)[number];

const NUMBERS: ReadonlyMap<string, number> = new Map(STATEMENTS.map((sql, number) => [sql, number]));

/**
 * The number of a statement; undefined for any other text. Whitespace and line breaks count as one space, since older
 * logs had both.
 */
export function numberOf(sql: string): number | undefined {
  return NUMBERS.get(sql.replace(/\s+/g, " "));
}
