/** What an environment loads when a test needs it: an entry of its own, since files without cassettes need none of it. */
export { createStyle, formatHiddenFailure, renderConversation, renderFailure, renderTraceDiff } from '@retake/report'
export { expectRun, extendExpect } from '@retake/report/expectations'
export { startSeam } from '@retake/session'
export {
  createSharedHandle,
  endTest,
  recordAgain,
  sortRunnerErrors,
  toCause,
  useInTest,
  withFramesOf,
  withoutOwnFrames,
} from '@retake/session/runner'
