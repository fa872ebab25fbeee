// The response to a request without a valid key, for routes of any area.

import type { Problem } from "../response/problem.ts";

/** The challenges of a 401: how to send a key. */
export const WWW_AUTHENTICATE = 'Bearer realm="assay", Basic realm="assay", charset="UTF-8"';

/** The refusal of a request without valid credentials. */
export const KEY_REQUIRED: Problem = {
  status: 401,
  detail: 'a valid API key is needed: "Authorization: Bearer KEY", or Basic with user "api"',
  headers: { "WWW-Authenticate": WWW_AUTHENTICATE },
};
