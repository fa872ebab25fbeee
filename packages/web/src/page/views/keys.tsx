// API keys, for users who may manage them: the list with the scopes of each, and ways to create and revoke keys.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { usePages } from "../data/hooks/use-pages.ts";
import { shown } from "../format/shown.ts";
import { whenText } from "../format/time.ts";
import { Busy, Refused } from "../parts/states.tsx";
import { useApp } from "../state/app.tsx";
import { copied } from "./compare/evaluation-bar.tsx";

interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly created_at: number | null;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

/** The keys. */
export function Keys(): JSX.Element {
  const { api, refresh, say } = useApp();
  const keys = usePages<ApiKey>("/v1/keys");
  const revoke = async ({ id, name }: ApiKey): Promise<void> => {
    if (!confirm(`Revoke the key ${name}? It stops working immediately.`)) return;
    await api
      .json(`/v1/keys/${encodeURIComponent(id)}`, { method: "DELETE" })
      .catch((error: Error) => say(error.message));
    refresh.value++;
  };
  return (
    <section class="page" aria-labelledby="keys">
      <h1 id="keys">API keys</h1>
      <NewKey />
      <Busy on={keys.loading} />
      {keys.error !== undefined && <Refused error={keys.error} />}
      {keys.items.length > 0 && (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">name</th>
              <th scope="col">opens</th>
              <th scope="col">created</th>
              <th scope="col">state</th>
              <th scope="col">
                <span class="unseen">revoke</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.items.map((key) => (
              <tr key={key.id}>
                <th scope="row">{shown(key.name)}</th>
                <td>{shown(key.scopes.join(", "))}</td>
                <td>{secondsText(key.created_at)}</td>
                <td>
                  {key.revoked_at !== null
                    ? `revoked ${secondsText(key.revoked_at)}`
                    : key.expires_at !== null
                      ? `until ${secondsText(key.expires_at)}`
                      : "active"}
                </td>
                <td>
                  {key.revoked_at === null && (
                    <button
                      type="button"
                      aria-label={`revoke ${shown(key.name)}`}
                      onClick={() => void revoke(key)}
                    >
                      Revoke
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {keys.more && (
        <button type="button" onClick={keys.next}>
          More
        </button>
      )}
    </section>
  );
}

function secondsText(seconds: number | null): string {
  return seconds === null ? "" : whenText(new Date(1000 * seconds).toISOString());
}

function NewKey(): JSX.Element {
  const { api, refresh, say } = useApp();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState("*");
  const [made, setMade] = useState<string | undefined>(undefined);
  const [error, setError] = useState<Error | undefined>(undefined);
  const make = async (): Promise<void> => {
    try {
      const body = { name, scopes: scopes.split(/[\s,]+/).filter((scope) => scope !== "") };
      const { key } = await api.json<{ key: string }>("/v1/keys", { body });
      setMade(key);
      setError(undefined);
      refresh.value++;
    } catch (reason) {
      setError(reason as Error);
    }
  };
  return (
    <>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <label>
          name <input required value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label>
          opens <input required value={scopes} onInput={(event) => setScopes(event.currentTarget.value)} />
        </label>
        <button type="submit">Create a key</button>
        <span class="muted">
          * opens everything; entity/project or entity/* opens less. The first key must open everything.
        </span>
      </form>
      {error !== undefined && <Refused error={error} isAction />}
      {made !== undefined && (
        <div class="notice" role="status">
          <p>Copy the new key now. It is shown only once:</p>
          <p class="line">
            <code>{made}</code>
            <button type="button" onClick={() => void copied(made, "the key", say)}>
              Copy
            </button>
          </p>
        </div>
      )}
    </>
  );
}
