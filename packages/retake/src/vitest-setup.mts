// Shipped as it is. By this ending Vitest evaluates it for every test file, which it does not do for modules of packages
// while `isolate` is off.
// @ts-expect-error: the build puts it beside this file
import { setUp } from './set-up.mjs'

setUp()
