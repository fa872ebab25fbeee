// Set-up of the tests that run a second time as the command runs: with schemas that are interpreted, not compiled to code.

import { configure } from "arktype/config";

configure({ jitless: true });
