// A training store in memory. For tests, examples and services that need not keep data.

import { hasEnded, type Job, statusOf } from "../job/job.ts";
import type { JobEvent } from "../job/job-event.ts";
import { dataOf, type TrainingSpec } from "../job/training-spec.ts";
import type { Checkpoint } from "../model/checkpoint.ts";
import type { Model, ModelName } from "../model/model.ts";
import type { TrainingFile } from "../model/training-file.ts";
import type { Change, Reply, TrainingStore } from "../ports/training-store.ts";

/** A `TrainingStore` that keeps everything in memory. */
export function memoryTrainingStore(): TrainingStore {
  const models = new Map<string, Model>();
  const names = new Map<string, string>();
  const checkpoints = new Map<string, Checkpoint[]>();
  const jobs = new Map<string, Job>();
  const specs = new Map<string, TrainingSpec>();
  const events = new Map<string, JobEvent[]>();
  const files = new Map<string, TrainingFile>();
  const replies = new Map<string, Reply>();

  const fits = ({ model, jobs: written = [], reply, at }: Change) => {
    if (model !== undefined) {
      if (model.version !== (models.get(model.id)?.version ?? 0) + 1) return false;
      const holder = names.get(nameKey(model));
      if (model.deleted === undefined && holder !== undefined && holder !== model.id) return false;
    }
    for (const { job, events: added } of written) {
      const version = jobs.get(job.id)?.version ?? 0;
      if (job.version !== version + added.length || added.some(({ seq }, i) => seq !== version + 1 + i))
        return false;
    }
    return reply === undefined || (replies.get(reply.key)?.expiresAt ?? at) <= at;
  };

  return {
    async commit(change) {
      if (!fits(change)) return false;
      const { model, reply, spec, at } = change;
      if (model !== undefined) {
        models.set(model.id, model);
        if (model.deleted === undefined) names.set(nameKey(model), model.id);
        else if (names.get(nameKey(model)) === model.id) names.delete(nameKey(model));
      }
      for (const { job, events: added } of change.jobs ?? []) {
        jobs.set(job.id, job);
        const log = events.get(job.id);
        if (log === undefined) events.set(job.id, [...added]);
        else for (const event of added) log.push(event);
      }
      if (spec !== undefined) specs.set(spec.jobId, spec.spec);
      for (const { job } of change.jobs ?? []) if (hasEnded(job.state)) specs.delete(job.id);
      for (const checkpoint of change.checkpoints ?? []) {
        const others = (checkpoints.get(checkpoint.modelId) ?? []).filter(({ id }) => id !== checkpoint.id);
        checkpoints.set(
          checkpoint.modelId,
          [...others, checkpoint].sort((a, b) => a.step - b.step),
        );
      }
      for (const file of change.files ?? []) files.set(file.id, file);
      if (reply !== undefined) {
        for (const { key, expiresAt } of replies.values()) if (expiresAt <= at) replies.delete(key);
        replies.set(reply.key, reply);
      }
      return true;
    },

    async model(id) {
      return models.get(id);
    },
    async modelNamed(name) {
      const id = names.get(nameKey(name));
      return id === undefined ? undefined : models.get(id);
    },
    async models({ after, limit }) {
      const last = after === undefined ? undefined : models.get(after);
      return [...models.values()]
        .filter((model) => model.deleted === undefined && (last === undefined || byAge(model, last) > 0))
        .sort(byAge)
        .slice(0, limit);
    },

    async checkpoint(modelId, step) {
      return checkpoints.get(modelId)?.find((checkpoint) => checkpoint.step === step);
    },
    async checkpointWithId(modelId, id) {
      return checkpoints.get(modelId)?.find((checkpoint) => checkpoint.id === id);
    },
    async checkpoints(modelId, { order, afterStep, limit }) {
      const ascending = (checkpoints.get(modelId) ?? []).filter(({ deletedAt }) => deletedAt === undefined);
      const ordered = order === "asc" ? ascending : ascending.reverse();
      const sign = order === "asc" ? 1 : -1;
      return ordered
        .filter(({ step }) => afterStep === undefined || sign * (step - afterStep) > 0)
        .slice(0, limit);
    },
    async usesBlob(sha256) {
      const names = (files: readonly { readonly sha256: string }[] = []) =>
        files.some((file) => file.sha256 === sha256);
      for (const chain of checkpoints.values())
        if (chain.some(({ deletedAt, files }) => deletedAt === undefined && names(files))) return true;
      for (const { id, state, parent, trained } of jobs.values()) {
        if (hasEnded(state)) continue;
        if (names(parent?.files) || names(trained?.files) || names(dataOf(specs.get(id)))) return true;
      }
      for (const { data, deletedAt } of files.values())
        if (deletedAt === undefined && names([data])) return true;
      return false;
    },

    async job(id) {
      return jobs.get(id);
    },
    async spec(jobId) {
      return specs.get(jobId);
    },
    async jobs({ modelId, statuses, order, after, limit }) {
      const sign = order === "asc" ? 1 : -1;
      return [...jobs.values()]
        .filter((job) => modelId === undefined || job.modelId === modelId)
        .filter((job) => statuses === undefined || statuses.includes(statusOf(job)))
        .filter((job) => after === undefined || sign * byAge(job, after) > 0)
        .sort((a, b) => sign * byAge(a, b))
        .slice(0, limit);
    },
    async waiting(limit) {
      const first = new Map<string, Job>();
      for (const job of jobs.values()) {
        const model = models.get(job.modelId);
        if (job.state !== "queued" || model === undefined) continue;
        if (model.deleted !== undefined || model.activeJob !== undefined) continue;
        const other = first.get(model.id);
        if (other === undefined || job.number < other.number) first.set(model.id, job);
      }
      return [...first.values()].sort(byAge).slice(0, limit);
    },
    async events(jobId, { afterSeq, types, limit }) {
      const found: JobEvent[] = [];
      const all = events.get(jobId) ?? [];
      for (let i = afterSeq; i < all.length && found.length < limit; i++) {
        const event = all[i]!;
        if (types === undefined || types.includes(event.type)) found.push(event);
      }
      return found;
    },
    async event(jobId, id) {
      return events.get(jobId)?.find((event) => event.id === id);
    },

    async file(id) {
      return files.get(id);
    },
    async files({ project, purpose, order, after, limit }) {
      const sign = order === "asc" ? 1 : -1;
      return [...files.values()]
        .filter(({ deletedAt }) => deletedAt === undefined)
        .filter((one) => project === undefined || isIn(one, project))
        .filter((one) => purpose === undefined || one.purpose === purpose)
        .filter((one) => after === undefined || sign * byAge(one, after) > 0)
        .sort((a, b) => sign * byAge(a, b))
        .slice(0, limit);
    },

    async reply(key) {
      return replies.get(key);
    },
  };
}

function isIn(file: TrainingFile, { entity, project }: Pick<TrainingFile, "entity" | "project">): boolean {
  return file.entity === entity && file.project === project;
}

function nameKey({ entity, project, name }: ModelName): string {
  return JSON.stringify([entity, project, name]);
}

function byAge(a: Pick<Job, "createdAt" | "id">, b: Pick<Job, "createdAt" | "id">): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
