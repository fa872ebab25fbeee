import { DuckDBInstance } from "@duckdb/node-api";
import { answers, MODELS } from "./answers.mjs";

const connection = await (await DuckDBInstance.create(":memory:")).connect();
await connection.run(
  "CREATE TABLE answers (model VARCHAR, question VARCHAR, answer VARCHAR, quality DOUBLE, correct BOOLEAN)",
);
const appender = await connection.createAppender("answers");
for (const { model, question, answer, quality, correct } of answers()) {
  appender.appendVarchar(model);
  appender.appendVarchar(question);
  appender.appendVarchar(answer);
  appender.appendDouble(quality);
  appender.appendBoolean(correct);
  appender.endRow();
}
appender.closeSync();
const read = async (sql) => (await connection.runAndReadAll(sql)).getRows();
const rows = await read(
  "SELECT question FROM answers GROUP BY question ORDER BY max(quality) - min(quality) DESC LIMIT 20",
);
const rates = new Map(await read("SELECT model, avg(correct::INT) FROM answers GROUP BY model"));
console.log(
  JSON.stringify({
    rows: rows.map(([question]) => question),
    rates: MODELS.map((model) => rates.get(model)),
  }),
);
