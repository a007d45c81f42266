/** What an engine can do beyond the contracts that every engine keeps. Absent means no. */
export interface Capabilities {
  /** Data outlives the process. */
  readonly isDurable?: true;
}
