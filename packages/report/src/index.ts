export { joinPhrase, type Piece, toPhrase } from './change/phrase.ts'
export { actsDifferently, type ChangeReport, toVerdict } from './change/verdict.ts'
export { renderConversationDifference } from './conversation/conversation-difference.ts'
export { renderTranscript } from './conversation/transcript.ts'
export { toReportDocument } from './json/report-document.ts'
export { type MarkdownReportOptions, renderMarkdownReport } from './markdown/markdown-report.ts'
export {
  type ChangeOverviewOptions,
  formatChange,
  renderChangeOverview,
  renderPhrases,
} from './review/change-overview.ts'
export { type ReviewScreenOptions, renderReviewScreen } from './review/review-screen.ts'
export { type AssertReportOptions, renderAssertReport } from './terminal/assert-report.ts'
export { type ConversationOptions, renderConversation } from './terminal/conversation.ts'
export { type FailureText, formatHiddenFailure, renderFailure, renderSameFailure } from './terminal/failure-text.ts'
export { renderFormatDiff } from './terminal/format-diff.ts'
export { type OverviewOptions, renderOverview } from './terminal/overview.ts'
export { type RecordingNotices, renderRecordingNotices } from './terminal/recording-notices.ts'
export { renderRecordedReply, renderStillRecording } from './terminal/recording-progress.ts'
export { type RequestDifferenceOptions, renderRequestDifference } from './terminal/request-difference.ts'
export { renderStepDetail, type StepDetailOptions } from './terminal/step-detail.ts'
export { formatContent } from './terminal/step-line.ts'
export { createStyle, type Style, type StyleOptions } from './terminal/style.ts'
export { type RunSummary, renderSummary, type SummaryOptions } from './terminal/summary.ts'
export { wrapText } from './terminal/text-width.ts'
export { renderToolDifference, type ToolDifferenceOptions } from './terminal/tool-difference.ts'
export { renderTraceDiff, type TraceDiffOptions, type TraceDiffSide } from './terminal/trace-diff.ts'
export { isOnlyUnverified, renderVerifyReport } from './terminal/verify-report.ts'
