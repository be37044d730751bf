import { createColors } from 'tinyrainbow'

type Paint = (text: string) => string

/** How renderers mark what they print. Without colours the text is the same, letter by letter. */
export interface Style {
  /** A line of the first side, and of the second. */
  before: Paint
  after: Paint
  /** The words that changed inside such a line. */
  mark: Paint
  title: Paint
  /** What only helps to find one's way: context, counts, hints. */
  dim: Paint
  good: Paint
  bad: Paint
  /** Names of the two sides in a legend. */
  legend: { before: string; after: string }
}

export interface StyleOptions {
  /** [false] */
  colors?: boolean
  /**
   * `runner`: the legend of test runners, Recorded green and Received red; `git`: old red and new green.
   * ['runner']
   */
  legend?: 'runner' | 'git'
}

const plain: Paint = (text) => text

export const createStyle = ({ colors = false, legend = 'runner' }: StyleOptions = {}): Style => {
  const names = legend === 'runner' ? { before: 'Recorded', after: 'Received' } : { before: 'first', after: 'second' }
  if (!colors) {
    return {
      before: plain,
      after: plain,
      mark: plain,
      title: plain,
      dim: plain,
      good: plain,
      bad: plain,
      legend: names,
    }
  }
  const { bold, dim, green, red, underline } = createColors({ force: true })
  const [before, after] = legend === 'runner' ? [green, red] : [red, green]
  return { before, after, mark: underline, title: bold, dim, good: green, bad: red, legend: names }
}
