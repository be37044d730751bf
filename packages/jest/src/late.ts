/**
 * What the environment and the reporter load when a cassette is there: an entry of its own, since files without one need
 * none of it.
 */
export {
  createStyle,
  formatHiddenFailure,
  renderConversation,
  renderFailure,
  renderRecordedReply,
  renderRecordingNotices,
  renderSameFailure,
  renderStillRecording,
  renderSummary,
  renderTraceDiff,
} from '@retake/report'
export { expectRun, extendExpect } from '@retake/report/expectations'
export { startSeam } from '@retake/session'
export {
  concludeRun,
  createPlaces,
  createSharedHandle,
  endTest,
  findNotices,
  formatUnreached,
  listObsolete,
  recordAgain,
  sortRunnerErrors,
  toCause,
  useInTest,
  withFramesOf,
} from '@retake/session/runner'
