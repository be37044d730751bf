/** One thing that a conversion does not carry over, or that a file does not hold. */
export interface Loss {
  /** Where it stands: `line 3 usage`, `evt_002 input`, `step 4 payload.stop`; empty for the whole file. */
  where: string
  /** What is lost or missing, as a clause: `the kind of event has no place in a trace`. */
  what: string
}
