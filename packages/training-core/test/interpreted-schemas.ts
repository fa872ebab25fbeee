// Test setup that interprets schemas instead of compiling them, as the command does. The tests run a second time with
// it.

import { configure } from "arktype/config";

configure({ jitless: true });
