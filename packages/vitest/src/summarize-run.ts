import { renderRecordingNotices, renderSummary } from '@retake/report'
import {
  type CassetteFolder,
  type CassetteReport,
  concludeRun,
  createPlaces,
  findNotices,
  listObsolete,
  type RanFile,
} from '@retake/session/runner'
import colours from 'tinyrainbow'
import type { ReportedProject } from './cassette-reporter.ts'

/** Where cassettes may be obsolete: beside test files that ran, and below folders whose test files all did. */
export interface Searched {
  files: RanFile[]
  places: CassetteFolder[]
}

/** A run that is over. */
interface EndedRun {
  reports: CassetteReport[]
  searched: Searched
  settings: readonly ReportedProject[]
  /** Where its projects have their cassettes. */
  places: CassetteFolder[]
  isInterrupted: boolean
  root: string
}

/** What a run came to, as texts; the summary is empty where there is nothing to say. */
export const summarizeRun = ({ reports, searched, settings, places, isInterrupted, root }: EndedRun) => {
  const obsolete = listObsolete(searched.files, searched.places)
  const conclusion = concludeRun({ reports, obsolete, settings, isInterrupted })
  const { fails } = conclusion
  const isEmpty = conclusion.reports.length + conclusion.obsolete.length === 0
  const options = { ...createPlaces(root), colors: colours.isColorSupported, runner: 'vitest' as const }
  const summary = isEmpty ? '' : renderSummary(conclusion, options)
  const notices = summary === '' ? '' : renderRecordingNotices(findNotices(conclusion.reports, places), options)
  return { fails, summary, notices }
}
